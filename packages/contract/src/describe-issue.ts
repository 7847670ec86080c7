import type { z } from 'zod';

/**
 * What is wrong with one value: what was expected and what came, as it follows the name of a field. The schemas' own
 * words («must be a colour like #1a2b3c») go before ours.
 */
type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const shownCharacters = 40;
const shownValues = 12;

/** Zod's error map: what it says where a schema has no words of its own. */
export function ownWords(issue: RawIssue): string {
  // A raw issue is one of the kinds below, with what they have.
  return wordsFor(issue as unknown as Issue);
}

/** The whole of an issue of a parse with `ownWords` and `reportInput`. */
export function describeIssue(issue: Issue): string {
  const { input, message, path } = issue;
  if (isLacking(issue)) return 'is missing';
  const isOurs = message === wordsFor(issue);
  if (input === undefined || isSecret(path)) return message;
  const isKindWrong = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  if (isOurs && (isKindWrong || issue.code === 'invalid_union')) return `${message}, not ${cameAs(input)}`;
  const measured = measuredAs(issue);
  return measured === null ? message : `${message}; it ${measured}`;
}

function isLacking({ code, input }: Issue): boolean {
  return (
    input === undefined && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union')
  );
}

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindNames[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return bounded(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? `of the form ${issue.format}`}`;
    case 'invalid_union':
      return 'must have one of the shapes that its description names';
    case 'invalid_key':
    case 'invalid_element':
      return 'has a name that may not stand there';
    case 'unrecognized_keys':
      return 'has fields that are not known';
    default:
      return 'is not as its description says';
  }
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  nan: 'a number',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a web address',
  datetime: 'a time like 2026-01-31T12:00:00.000Z',
};

function oneOf(values: readonly unknown[]): string {
  const names = values.slice(0, shownValues).map(String);
  if (names.length === 1) return names.join('');
  const more = values.length > shownValues ? ', …' : '';
  return `one of ${names.join(', ')}${more}`;
}

function bounded(origin: string, limit: string, count: number | bigint): string {
  if (origin === 'string') {
    if (limit === 'at least' && count === 1) return 'must not be empty';
    return `must have ${limit} ${count} characters`;
  }
  if (origin === 'array' || origin === 'set')
    return `must have ${limit} ${count} ${count === 1 ? 'entry' : 'entries'}`;
  return `must be ${limit} ${count}`;
}

/** What came, after «not»: never more of it than a few words. */
function cameAs(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'string') return input === '' ? 'empty text' : `the text ${quoted(input)}`;
  if (typeof input === 'number') return `the number ${input}`;
  return typeof input === 'object' ? 'an object' : String(input);
}

/** What came, after «it»; null where that tells nothing. */
function measuredAs({ input, code }: Issue): string | null {
  if (typeof input === 'number') return `is ${input}`;
  if (Array.isArray(input))
    return code === 'too_big' || (code === 'too_small' && input.length > 0) ? `has ${input.length}` : null;
  if (typeof input !== 'string') return null;
  if (input === '') return code === 'too_small' ? null : 'is empty';
  return input.length > shownCharacters ? `has ${[...input].length} characters` : `is ${quoted(input)}`;
}

/** A part of a text as one can show it: bounded, and without what moves a cursor or draws nothing. */
export function quoted(text: string): string {
  const shown = [...text.slice(0, shownCharacters * 2)].slice(0, shownCharacters).join('');
  const more = shown.length < text.length ? '…' : '';
  return `«${shown.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')}${more}»`;
}

/** What an answer does not repeat: it may stand in somebody's log. */
function isSecret(path: readonly PropertyKey[]): boolean {
  return /password|token|secret|code$|^claim$|^current$/iu.test(String(path.at(-1) ?? ''));
}
