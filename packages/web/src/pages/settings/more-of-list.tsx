import type { Pages } from '../../data/use-pages.ts';
import { MoreLink } from '../../ui/more-link.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';

/** The end of a list of the settings: the link to its next page, which is a page of its own without script. */
export function MoreOfList({
  name,
  pages: { next, busy, failure, more },
}: {
  /** The name of the list in the address, which is the id of its card, too. */
  name: 'tokens' | 'sessions';
  pages: Omit<Pages<unknown>, 'items'>;
}) {
  return (
    <>
      <FailureNotice failure={failure} />
      {next !== null && (
        <div>
          <MoreLink
            href={`/settings?${name}=${encodeURIComponent(next)}#${name}`}
            busy={busy}
            onMore={more}
          />
        </div>
      )}
    </>
  );
}
