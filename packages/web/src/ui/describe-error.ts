import { ApiError, ConnectionError } from '@spaceport/client/api-error';

/** An error for the person who met it. */
export interface ErrorText {
  /** What happened and what to do next, in one or two sentences. */
  readonly text: string;
  /** Field path → what is wrong with it. */
  readonly problems: Readonly<Record<string, string>>;
  /** Trying again may help. */
  readonly mayRetry: boolean;
  /** They have to sign in (again) first. */
  readonly signIn: boolean;
  /** For the operators' log. */
  readonly requestId: string | undefined;
}

export function describeError(error: unknown): ErrorText {
  const nothing = { problems: {}, mayRetry: true, signIn: false, requestId: undefined };
  if (error instanceof ConnectionError)
    return { ...nothing, text: 'No answer came. Look whether you are online, then try again.' };
  if (!(error instanceof ApiError))
    return {
      ...nothing,
      text: 'Something went wrong on this page. Load it again; if it stays, tell us what you did.',
    };
  const { status, code, message, retryAfterSeconds, requestId } = error;
  const problems = problemsOf(error);
  const known = { ...nothing, problems, requestId };
  if (code === 'unauthorized')
    return { ...known, signIn: true, text: 'You are not signed in any more. Sign in again to go on.' };
  if (status === 429) return { ...known, text: withWait(message, retryAfterSeconds) };
  if (status === 503)
    return { ...known, text: 'The service is busy or away for a moment. Try again shortly.' };
  if (status >= 500)
    return {
      ...known,
      text: `Something went wrong on our side. If it stays, tell us the request ${requestId ?? 'and the time'}.`,
    };
  return { ...known, mayRetry: false, text: message };
}

/** What is wrong with each field, as the service names it in `issues`. */
function problemsOf({ details }: ApiError): Record<string, string> {
  const problems: Record<string, string> = {};
  const { issues } = details;
  for (const issue of Array.isArray(issues) ? issues : []) {
    if (typeof issue?.path === 'string' && typeof issue.message === 'string')
      problems[issue.path] ??= issue.message;
  }
  return problems;
}

/** When to come back, said once: the service's own sentence may end with it, and less exactly. */
function withWait(message: string, retryAfterSeconds: number | undefined): string {
  const advice = /[;.] try again[^.]*\.$/iu;
  if (retryAfterSeconds !== undefined)
    return `${message.replace(advice, '.')} Try again in ${duration(retryAfterSeconds)}.`;
  return advice.test(message) ? message : `${message} Try again in a while.`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}
