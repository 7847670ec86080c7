import { LinkButton } from './button.tsx';

/** What comes after the end of a list: added to it by script, a page of its own without. */
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
