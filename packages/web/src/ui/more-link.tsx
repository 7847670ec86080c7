import { LinkButton } from './button.tsx';

/** A link to the rest of a list: with script it extends the list, without it opens another page. */
export function MoreLink({ href, busy, onMore }: { href: string; busy: boolean; onMore: () => void }) {
  return (
    <LinkButton
      variant="plain"
      href={href}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onMore();
      }}
    >
      Show more
    </LinkButton>
  );
}
