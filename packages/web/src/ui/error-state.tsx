import { LinkButton } from './button.tsx';
import { describeError } from './describe-error.ts';
import { FailedState } from './failed-state.tsx';
import { NextStep } from './refusal.tsx';

/** Replaces content that could not be loaded: shows why, and what to do next. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { text, next, mayRetry, signIn } = describeError(error);
  const here = location.pathname + location.search;
  return (
    <FailedState
      text={text}
      retry={mayRetry ? retry : undefined}
      action={signIn && <LinkButton href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</LinkButton>}
    >
      {next !== undefined && !signIn && (
        <p>
          <NextStep step={next} />
        </p>
      )}
    </FailedState>
  );
}
