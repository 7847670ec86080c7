import { Button, LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import type { Failure } from './describe-failure.ts';
import { Lines } from './lines.tsx';

/** Shows why a drop failed: the reason, the files, and what to do. */
export function DropFailure({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const { text, lines, next, mayRetry, signIn } = failure;
  return (
    <Notice
      tone="bad"
      actions={
        <>
          {signIn && (
            // In another tab, because this one has the chosen files.
            <LinkButton
              size="small"
              variant="plain"
              href="/sign-in?next=/drop"
              target="_blank"
              rel="noopener"
            >
              Sign in in another tab
            </LinkButton>
          )}
          {mayRetry && onRetry && (
            <Button size="small" variant="plain" icon="restart" onClick={onRetry}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <p>{text}</p>
      <Lines lines={lines} />
      {next !== null && <p>{next}</p>}
    </Notice>
  );
}
