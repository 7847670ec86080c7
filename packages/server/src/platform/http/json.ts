import { parse } from 'secure-json-parse';
import { ServiceError } from '../errors.ts';

const maxDepth = 24;
/** Each is looked at by itself; a create of two thousand files has a fifth of them. */
const maxValues = 50_000;

/** Parses a request's body. Throws `invalid` for anything that is not well-formed JSON we are ready to look at. */
export function parseJsonBody(text: string): unknown {
  if (hasTooManyValues(text)) throw unreadable(`has more than ${maxValues} values`);
  let value: unknown;
  try {
    // Keys that would reach an object's prototype are an error, not silently dropped.
    value = parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new ServiceError('invalid', 'The body is not JSON.', {
      issues: [{ path: '', message: 'must be JSON' }],
    });
  }
  const problem = textProblem(value);
  if (problem) throw unreadable(problem);
  return value;
}

function unreadable(problem: string): ServiceError {
  return new ServiceError('invalid', `The body ${problem}.`, { issues: [{ path: '', message: problem }] });
}

/** What no field may hold: text that one of our databases cannot store, or nesting made to exhaust us. */
export function textProblem(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return 'has text that is not valid Unicode';
    return value.includes('\u0000') ? 'has a NUL character' : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
  if (Array.isArray(value)) {
    // By index: a list of its entries would be as long again.
    for (let index = 0; index < value.length; index++) {
      const problem = textProblem(value[index], depth + 1);
      if (problem) return problem;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const problem = textProblem(key) ?? textProblem(Reflect.get(value, key), depth + 1);
    if (problem) return problem;
  }
  return null;
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const comma = ','.charCodeAt(0);

/** By the commas between them, and so before any of them is made. */
function hasTooManyValues(text: string): boolean {
  let left = maxValues;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) inString = !inString;
    else if (code === backslash) at += 1;
    else if (code === comma && !inString && --left === 0) return true;
  }
  return false;
}
