import type { ReactNode } from 'preact/compat';
import type { ErrorText } from './describe-error.ts';

/** The parts in which a form shows its refusal: beside the wrong fields, else above the form. */
export interface Refusal {
  readonly above: ReactNode;
  /** For the bottom of a long form: the refusal, or a note that fields are marked. */
  readonly below: ReactNode;
  /** Returns the problem of a field, as a sentence. */
  readonly at: (field: string) => string | undefined;
}

/** `fields` are the form's fields. For a form that sends an entry of a list, they are the entry's fields. */
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

/** The next step, with its address as a link. */
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

/** The failure and the next step, with a link to sign in if that is needed. */
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
