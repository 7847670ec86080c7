import type { z } from 'zod';

/**
 * Describes what is wrong with one value: the expected and the received value, as a phrase after the field's
 * name. A schema's own message («must be a colour like #1a2b3c») takes precedence.
 */
type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const shownCharacters = 40;
const shownValues = 12;

/** Zod's error map: the message for a schema that has none of its own. */
export function ownWords(issue: RawIssue): string {
  // A raw issue is one of the kinds below, with the same fields.
  return wordsFor(issue as unknown as Issue);
}

/** Returns the full message for an issue of a parse that used `ownWords` and `reportInput`. */
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
      return 'has a name that is not allowed there';
    case 'unrecognized_keys':
      return 'has fields that are not known';
    default:
      return 'does not match its description';
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

/** The received value in a few words, for a sentence that continues after «not». */
function cameAs(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'string') return input === '' ? 'empty text' : `the text ${quoted(input)}`;
  if (typeof input === 'number') return `the number ${input}`;
  return typeof input === 'object' ? 'an object' : String(input);
}

/** The size of the received value, for a sentence that continues after «it»; null if it would add nothing. */
function measuredAs({ input, code }: Issue): string | null {
  if (typeof input === 'number') return `is ${input}`;
  if (Array.isArray(input))
    return code === 'too_big' || (code === 'too_small' && input.length > 0) ? `has ${input.length}` : null;
  if (typeof input !== 'string') return null;
  if (input === '') return code === 'too_small' ? null : 'is empty';
  return input.length > shownCharacters ? `has ${[...input].length} characters` : `is ${quoted(input)}`;
}

/** Returns the beginning of a text in quotes. U+FFFD replaces control and invisible characters. */
export function quoted(text: string): string {
  const shown = [...text.slice(0, shownCharacters * 2)].slice(0, shownCharacters).join('');
  const more = shown.length < text.length ? '…' : '';
  return `«${shown.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')}${more}»`;
}

/** Whether the field holds a secret. Answers never repeat secrets, because logs may store the answers. */
function isSecret(path: readonly PropertyKey[]): boolean {
  return /password|token|secret|code$|^claim$|^current$/iu.test(String(path.at(-1) ?? ''));
}
