import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import { fieldLabel, fieldSentence } from './field-words.ts';
import { brokenPage, noAnswer } from './plain-errors.ts';

/** An error in words for a person. */
export interface ErrorText {
  /** What happened and what to do next, in one or two sentences. */
  readonly text: string;
  /** Field path → what to enter there, as a sentence. */
  readonly problems: Readonly<Record<string, string>>;
  /** A further sentence with the next step and the address of a page. */
  readonly next: string | undefined;
  /** Whether trying again may help. */
  readonly mayRetry: boolean;
  /** Whether the person has to sign in (again) first. */
  readonly signIn: boolean;
  /** The request's id in the operators' log. */
  readonly requestId: string | undefined;
}

/** The page found wrong fields before it sent the form. */
export class WrongFields extends Error {
  /** Field → what to enter there, as a sentence. */
  readonly problems: Readonly<Record<string, string>>;

  constructor(problems: Readonly<Record<string, string>>) {
    super('Some fields are missing or wrong.');
    this.problems = problems;
  }
}

/** The page cannot do it in this browser. The message says why, and what to do. */
export class PageRefusal extends Error {}

export function describeError(error: unknown): ErrorText {
  const nothing = { problems: {}, next: undefined, mayRetry: true, signIn: false, requestId: undefined };
  if (error instanceof WrongFields) return { ...nothing, text: error.message, problems: error.problems };
  if (error instanceof PageRefusal) return { ...nothing, text: error.message, mayRetry: false };
  if (error instanceof ConnectionError) return { ...nothing, text: noAnswer };
  if (!(error instanceof ApiError)) return { ...nothing, text: brokenPage };
  const { status, code, message, retryAfterSeconds, requestId } = error;
  const problems = problemsOf(error);
  const known = { ...nothing, problems, requestId, next: stepOf(error) };
  if (code === 'unauthorized')
    return { ...known, signIn: true, text: 'You are not signed in any more. Sign in again to go on.' };
  if (status === 429) return { ...known, text: withWait(message, retryAfterSeconds) };
  // 502 and 504 are a proxy's, whose service starts again.
  if (status === 502 || status === 503 || status === 504)
    return { ...known, text: 'The service is busy or away for a moment. Try again shortly.' };
  if (status >= 500)
    return {
      ...known,
      text: `Something went wrong on our side. If it stays, tell us the request ${requestId ?? 'and the time'}.`,
    };
  return { ...known, mayRetry: false, text: isAboutFields(error) ? summaryOf(problems) : message };
}

/** Codes of requests that a schema refused. Their messages are about paths of the body. */
const schemaCodes = new Set([
  'invalid',
  'invalid_request',
  'invalid_fields',
  'invalid_declaration',
  'missing_fields',
]);

/** Returns whether the message is for programmers, about a path of the body. */
function isAboutFields({ code, message, details }: ApiError): boolean {
  if (!schemaCodes.has(code) || !Array.isArray(details.issues)) return false;
  return code === 'missing_fields' || message.startsWith('«');
}

const namedProblems = 3;

function summaryOf(problems: Readonly<Record<string, string>>): string {
  const lines = problemLines(problems);
  const more = lines.length > namedProblems ? ` And ${lines.length - namedProblems} more.` : '';
  return `${lines.slice(0, namedProblems).join(' ')}${more}`;
}

/** Returns a line for each wrong field: its label, and what to enter. */
export function problemLines(problems: Readonly<Record<string, string>>): string[] {
  return Object.entries(problems).map(([path, sentence]) =>
    path === '' ? sentence : `${fieldLabel(path)}: ${sentence}`,
  );
}

/** Returns the service's next step, if it is a page for people and not a call for programs. */
function stepOf({ details: { next } }: ApiError): string | undefined {
  const isForPrograms = /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/docs\/api|\/llms\.txt|openapi|header|«/u;
  return typeof next === 'string' && !isForPrograms.test(next) ? next : undefined;
}

/** Returns what to enter in each field of `issues`. */
function problemsOf({ details }: ApiError): Record<string, string> {
  const problems: Record<string, string> = {};
  const { issues } = details;
  for (const issue of Array.isArray(issues) ? issues : []) {
    if (typeof issue?.path === 'string' && typeof issue.message === 'string')
      problems[issue.path] ??= fieldSentence(issue.path, issue.message);
  }
  return problems;
}

/** Adds when to come back. The service's own, less exact hint at the end of the sentence is removed. */
function withWait(message: string, retryAfterSeconds: number | undefined): string {
  const advice = /[;.] try again[^.]*\.$/iu;
  if (retryAfterSeconds !== undefined)
    return `${message.replace(advice, '.')} Try again in ${duration(retryAfterSeconds)}.`;
  return advice.test(message) ? message : `${message} Try again in a while.`;
}

function duration(seconds: number): string {
  if (seconds <= 1) return 'one second';
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}
