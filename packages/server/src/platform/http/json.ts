import { parse } from 'secure-json-parse';
import { ServiceError } from '../errors.ts';

const maxDepth = 24;
/** Each is looked at by itself; a create of two thousand files has a fifth of them. */
const maxValues = 50_000;

/** Where in a value is text that no field may hold, and what is odd about it. */
export interface OddText {
  readonly path: readonly PropertyKey[];
  /** As it follows the name of the field. */
  readonly message: string;
}

/** What was sent as JSON is none, or is not to be looked at; `odd` where a field is to blame. */
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
 * Parses a request's body.
 * @throws a `JsonError` for anything that is not well-formed JSON we are ready to look at
 */
export function parseJsonBody(text: string): unknown {
  const { values, depth, hasEscapes } = survey(text);
  if (values > maxValues) throw unreadable(`has more than ${maxValues} values`);
  let value: unknown;
  try {
    // Keys that would reach an object's prototype are an error, not silently dropped.
    value = parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new JsonError(null);
  }
  // What is odd can only be written as an escape: everything else is as it was decoded.
  if (!hasEscapes && depth <= maxDepth && text.isWellFormed()) return value;
  const odd = oddText(value);
  if (odd) throw new JsonError(odd, value);
  return value;
}

function unreadable(problem: string): ServiceError {
  return new ServiceError('invalid', `The body ${problem}.`, { issues: [{ path: '', message: problem }] });
}

/** What no field may hold: text that one of our databases cannot store, or nesting made to exhaust us. */
export function oddText(value: unknown): OddText | null {
  const path: PropertyKey[] = [];
  const message = look(value, path);
  return message === null ? null : { path, message };
}

/** `path` leads to what is looked at, and stays where something is found. */
function look(value: unknown, path: PropertyKey[]): string | null {
  if (typeof value === 'string') return problemOf(value);
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= maxDepth) {
    path.length = 0;
    return `is nested deeper than ${maxDepth} levels`;
  }
  if (Array.isArray(value)) {
    // By index: a list of its entries would be as long again.
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

const [quote, backslash, comma, opens, closes] = [1, 2, 3, 4, 5] as const;

/** What a character below 128 is to JSON; 0 for what only stands there. Looked up for each character of each body. */
const kinds = new Uint8Array(128);
for (const [characters, kind] of [
  ['"', quote],
  ['\\', backslash],
  [',', comma],
  ['[{', opens],
  [']}', closes],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/**
 * How much there is of JSON, by its characters and so before any of it is made: values by the commas between them. Ends where
 * they are too many.
 */
function survey(text: string): { values: number; depth: number; hasEscapes: boolean } {
  let values = 1;
  let depth = 0;
  let open = 0;
  let inString = false;
  const { length } = text;
  for (let at = 0; at < length && values <= maxValues; at++) {
    // None past the last of the table.
    const kind = kinds[text.charCodeAt(at)];
    if (!kind) continue;
    if (kind === quote) inString = !inString;
    else if (kind === backslash) at += 1;
    else if (inString) continue;
    else if (kind === comma) values += 1;
    else if (kind === opens) {
      open += 1;
      if (open > depth) depth = open;
    } else open -= 1;
  }
  return { values, depth, hasEscapes: text.includes('\\u') };
}

function problemOf(text: string): string | null {
  if (!text.isWellFormed()) return 'has text that is not valid Unicode';
  return text.includes('\u0000') ? 'has a NUL character' : null;
}
