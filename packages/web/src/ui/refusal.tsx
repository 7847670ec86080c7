import type { ReactNode } from 'preact/compat';
import type { ErrorText } from './describe-error.ts';
import { Notice } from './surfaces.tsx';

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
  if (signIn)
    return (
      <>
        {text} <SignInAgain />
      </>
    );
  if (next === undefined) return text;
  return (
    <>
      {text} <NextStep step={next} />
    </>
  );
}

/** The failure of an action, with its next step. */
export function FailureNotice({ failure }: { failure: ErrorText | null }) {
  if (failure === null) return null;
  return (
    <Notice tone="bad">
      <FailureText failure={failure} />
    </Notice>
  );
}

/** In another tab, so that what was typed or chosen in this one is kept. */
function SignInAgain() {
  const here = location.pathname + location.search;
  return (
    <a href={`/sign-in?next=${encodeURIComponent(here)}`} target="_blank" rel="noopener">
      Sign in in another tab
    </a>
  );
}
