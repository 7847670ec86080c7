import type { ReactNode } from 'react';
import type { ErrorText } from './describe-error.ts';

/** How a refused form says so: beside the fields that are to blame, or above all of it where none is. */
export interface Refusal {
  readonly above: ReactNode;
  /** What is wrong with a field, as a sentence. */
  readonly at: (field: string) => string | undefined;
}

/** `fields` are those that the form has. */
export function refusalOf(failure: ErrorText | null, fields: readonly string[]): Refusal {
  const problems = failure?.problems ?? {};
  const isBeside = fields.some((field) => problems[field] !== undefined);
  return {
    above: failure && !isBeside ? <FailureText failure={failure} /> : null,
    at: (field) => problems[field],
  };
}

/** What to do next, its address as a link. */
export function NextStep({ step }: { step: string }) {
  const [before = '', address, after] = step.split(/(https?:\/\/[^\s,;]*[^\s,;.:])/u);
  if (address === undefined) return step;
  return (
    <>
      {before}
      <a href={address}>{address}</a>
      {after}
    </>
  );
}

/** What went wrong and what to do next; with the way to sign in where that is it. */
export function FailureText({ failure: { text, next, signIn } }: { failure: ErrorText }) {
  if (!signIn)
    return next === undefined ? (
      text
    ) : (
      <>
        {text} <NextStep step={next} />
      </>
    );
  const here = location.pathname + location.search;
  return (
    <>
      {text} <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</a>
    </>
  );
}
