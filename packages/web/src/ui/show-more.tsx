import type { Pages } from '../data/use-pages.ts';
import { Button } from './button.tsx';
import { Notice } from './surfaces.tsx';

/** The end of a list with pages: the button for the next page, and why it failed. */
export function ShowMore({ pages: { next, busy, failure, more } }: { pages: Omit<Pages<unknown>, 'items'> }) {
  return (
    <>
      {failure && <Notice tone="bad">{failure.text}</Notice>}
      {next !== null && (
        <div>
          <Button variant="plain" busy={busy} onClick={more}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
