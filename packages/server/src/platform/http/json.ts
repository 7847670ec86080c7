import { parse } from 'secure-json-parse';
import { ServiceError } from '../errors.ts';

const maxDepth = 24;

/** Parses a request's body. Throws `invalid` for anything that is not well-formed JSON we are ready to look at. */
export function parseJsonBody(text: string): unknown {
  let value: unknown;
  try {
    // Keys that would reach an object's prototype are an error, not silently dropped.
    value = parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new ServiceError('invalid', 'The body is not JSON.', {
      issues: [{ path: '', message: 'must be JSON' }],
    });
  }
  const problem = textProblem(value, 0);
  if (problem)
    throw new ServiceError('invalid', `The body ${problem}.`, { issues: [{ path: '', message: problem }] });
  return value;
}

/** What no field may hold: text that one of our databases cannot store, or nesting made to exhaust us. */
export function textProblem(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return 'has text that is not valid Unicode';
    return value.includes('\u0000') ? 'has a NUL character' : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
  for (const [key, child] of Object.entries(value)) {
    const problem = textProblem(child, depth + 1) ?? (Array.isArray(value) ? null : textProblem(key));
    if (problem) return problem;
  }
  return null;
}
