import { Button, LinkButton } from './button.tsx';
import { describeError } from './describe-error.ts';
import { NextStep } from './refusal.tsx';
import { EmptyState } from './surfaces.tsx';

/** Replaces content that could not be loaded: shows why, and what to do next. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { text, next, mayRetry, signIn } = describeError(error);
  const here = location.pathname + location.search;
  return (
    <div role="alert">
      <EmptyState
        icon="alert"
        title="That did not work"
        actions={
          <>
            {signIn && <LinkButton href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</LinkButton>}
            {mayRetry && !signIn && retry && (
              <Button icon="restart" onClick={retry}>
                Try again
              </Button>
            )}
          </>
        }
      >
        <p>{text}</p>
        {next !== undefined && !signIn && (
          <p>
            <NextStep step={next} />
          </p>
        )}
      </EmptyState>
    </div>
  );
}
