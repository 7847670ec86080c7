import type { Pages } from '../data/use-pages.ts';
import { Button } from './button.tsx';
import { focusFirstNew } from './focus-first-new.ts';
import { FailureNotice } from './refusal.tsx';

/** The end of a list with pages: the button for the next page, and why it failed. */
export function ShowMore({ pages: { next, busy, failure, more } }: { pages: Omit<Pages<unknown>, 'items'> }) {
  return (
    <>
      <FailureNotice failure={failure} />
      {next !== null && (
        <div>
          <Button
            variant="plain"
            busy={busy}
            onClick={(event) => {
              focusFirstNew(event);
              more();
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
