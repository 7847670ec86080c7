import { LinkButton } from './button.tsx';

/** Leads to the rest of a list: with script it is added to the list, without it is another page. */
export function MoreLink({ href, busy, onMore }: { href: string; busy: boolean; onMore: () => void }) {
  return (
    <LinkButton
      variant="plain"
      href={href}
      aria-busy={busy || undefined}
      onClick={(event) => {
        event.preventDefault();
        onMore();
      }}
    >
      Show more
    </LinkButton>
  );
}
