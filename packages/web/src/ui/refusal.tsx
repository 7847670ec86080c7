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
    at: (field) => (problems[field] === undefined ? undefined : `It ${problems[field]}.`),
  };
}

/** What went wrong and what to do next; with the way to sign in where that is it. */
export function FailureText({ failure: { text, signIn } }: { failure: ErrorText }) {
  if (!signIn) return text;
  const here = location.pathname + location.search;
  return (
    <>
      {text} <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</a>
    </>
  );
}
