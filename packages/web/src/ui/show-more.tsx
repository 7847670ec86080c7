import type { Pages } from '../data/use-pages.ts';
import { Button } from './button.tsx';
import { Notice } from './surfaces.tsx';

/** Under a list that comes in pages: why the next one did not come, and the button that asks for it. */
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
