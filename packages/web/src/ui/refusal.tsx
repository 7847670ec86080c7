import type { ReactNode } from 'react';
import type { ErrorText } from './describe-error.ts';

/** How a form says why it was refused: beside the fields that are wrong, else above the form. */
export interface Refusal {
  readonly above: ReactNode;
  /** For the foot of a long form, whose fields may be out of sight: the same, or that fields are marked. */
  readonly below: ReactNode;
  /** What is wrong with a field, as a sentence. */
  readonly at: (field: string) => string | undefined;
}

/** `fields` are those that the form has. One that sends an entry of a list has the fields of that entry. */
export function refusalOf(failure: ErrorText | null, fields: readonly string[]): Refusal {
  const problems = Object.fromEntries(
    Object.entries(failure?.problems ?? {}).map(([path, said]) => [path.replace(/^\w+\.0\./u, ''), said]),
  );
  const isBeside = fields.some((field) => problems[field] !== undefined);
  const above = failure && !isBeside ? <FailureText failure={failure} /> : null;
  return {
    above,
    below: isBeside ? 'Something is missing or wrong: see the marked fields.' : above,
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

/** What went wrong and what to do next, with a link to sign in if that is needed. */
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
