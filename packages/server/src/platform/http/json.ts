import { parse } from 'secure-json-parse';
import { ServiceError } from '../errors.ts';

const maxDepth = 24;
/** Each value is checked. A create with two thousand files has a fifth of this. */
const maxValues = 50_000;

/** The place of a value that no field may hold, and what is wrong with it. */
export interface OddText {
  readonly path: readonly PropertyKey[];
  /** The end of a sentence that begins with the name of the field. */
  readonly message: string;
}

/** The body is not JSON, or has a value that is not accepted; `odd` names the field if one is to blame. */
export class JsonError extends ServiceError {
  readonly odd: OddText | null;
  readonly value: unknown;

  constructor(odd: OddText | null, value?: unknown) {
    const message = odd?.message ?? 'must be JSON';
    super('invalid', odd ? `The body ${message}.` : 'The body is not JSON.', {
      issues: [{ path: odd?.path.join('.') ?? '', message }],
    });
    this.odd = odd;
    this.value = value;
  }
}

/**
 * Parses the JSON of a request's body.
 * @throws a `JsonError` if it is not well-formed, too deep, or has text that no field may hold; a
 * `ServiceError` (`invalid`) if it has too many values
 */
export function parseJsonBody(text: string): unknown {
  if (hasTooManyValues(text)) throw unreadable(`has more than ${maxValues} values`);
  let value: unknown;
  try {
    // Keys that would reach an object's prototype are an error, not silently dropped.
    value = parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new JsonError(null);
  }
  // Text that no field may hold can only be written as an escape, so other bodies need no further check of it.
  if (!text.includes('\\u') && text.isWellFormed() && isFiniteWithin(maxDepth, value)) return value;
  const odd = oddText(value);
  if (odd) throw new JsonError(odd, value);
  return value;
}

function unreadable(problem: string): ServiceError {
  return new ServiceError('invalid', `The body ${problem}.`, { issues: [{ path: '', message: problem }] });
}

/**
 * Finds a value that we could not store as it came: text that one of our databases does not take, a number that is
 * parsed as infinite, or nesting that is too deep. Returns null if there is none.
 */
export function oddText(value: unknown): OddText | null {
  const path: PropertyKey[] = [];
  const message = look(value, path);
  return message === null ? null : { path, message };
}

/** Checks a value. `path` is the path to it, and still has that path if a problem is found. */
function look(value: unknown, path: PropertyKey[]): string | null {
  if (typeof value === 'string') return problemOf(value);
  // JSON has no infinity, but a number with a large exponent is parsed as one, and written as null again.
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'is not a finite number';
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= maxDepth) {
    path.length = 0;
    return `is nested deeper than ${maxDepth} levels`;
  }
  if (Array.isArray(value)) {
    // By index: `entries()` would make a second list of the same length.
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      const problem = look(value[index], path);
      if (problem !== null) return problem;
      path.pop();
    }
    return null;
  }
  for (const key in value) {
    if (problemOf(key) !== null) return `has a field whose name ${problemOf(key)}`;
    path.push(key);
    const problem = look((value as Record<string, unknown>)[key], path);
    if (problem !== null) return problem;
    path.pop();
  }
  return null;
}

/** Returns whether a value has finite numbers only and is not nested deeper than this. Never looks further down. */
function isFiniteWithin(levels: number, value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      if (!isFiniteWithin(levels - 1, value[index])) return false;
    return true;
  }
  for (const key in value)
    if (!isFiniteWithin(levels - 1, (value as Record<string, unknown>)[key])) return false;
  return true;
}

/** Codes of the characters that say where a value ends. */
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c] as const;

/** Returns whether a JSON text has too many values, by their commas, before it is parsed. */
function hasTooManyValues(text: string): boolean {
  const { length } = text;
  // Each value has a character at least, and a comma before it. Most bodies are shorter.
  if (length < 2 * maxValues) return false;
  let values = 1;
  let inString = false;
  for (let at = 0; at < length && values <= maxValues; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) inString = !inString;
    else if (character === backslash) at += 1;
    else if (character === comma && !inString) values += 1;
  }
  return values > maxValues;
}

function problemOf(text: string): string | null {
  if (!text.isWellFormed()) return 'has text that is not valid Unicode';
  return text.includes('\u0000') ? 'has a NUL character' : null;
}
