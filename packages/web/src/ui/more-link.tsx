import { LinkButton } from './button.tsx';
import { focusFirstNew } from './focus-first-new.ts';

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
        focusFirstNew(event);
        onMore();
      }}
    >
      Show more
    </LinkButton>
  );
}
