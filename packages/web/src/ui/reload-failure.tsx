import type { Loaded } from '../data/use-load.ts';
import { Button } from './button.tsx';
import { describeError } from './describe-error.ts';
import { FailureText } from './refusal.tsx';
import { Notice } from './surfaces.tsx';

/**
 * Says above an answer that stays that the next one did not come: what is shown is older, or not what was chosen.
 * Renders nothing if no request has failed.
 */
export function ReloadFailure({ loads }: { loads: readonly Pick<Loaded<unknown>, 'error' | 'reload'>[] }) {
  const failed = loads.filter(({ error }) => error !== null);
  const [first] = failed;
  if (!first) return null;
  const failure = describeError(first.error);
  return (
    <Notice
      tone="bad"
      actions={
        failure.mayRetry && (
          <Button
            size="small"
            variant="plain"
            icon="restart"
            onClick={() => {
              for (const { reload } of failed) reload();
            }}
          >
            Try again
          </Button>
        )
      }
    >
      <FailureText failure={failure} />
    </Notice>
  );
}
