import type { z } from 'zod';
import { describeIssue, ownWords } from './describe-issue.ts';
import type { Issue } from './errors.ts';
import { unknownField } from './known-fields.ts';

/** One problem of an input. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Zod's name of the kind of issue. */
  readonly kind: string;
  /** The expected and the received value, as a phrase after the field's name. */
  readonly message: string;
}

export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly problems: readonly Problem[] };

const maxProblems = 50;
const maxNameLength = 60;

/** Parses a value. Problems name each wrong field once, and at most fifty fields. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  const parsed = schema.safeParse(value, { reportInput: true, error: ownWords });
  if (parsed.success) return parsed;
  return { success: false, problems: problemsOf(schema, parsed.error) };
}

/** Returns a problem as an issue of an answer. */
export function issueOf({ path, message }: Problem): Issue {
  return { path: path.map(shortened).join('.'), message };
}

/** Ends the text of an issue as a sentence; one that asks which field was meant has its mark already. */
export function asSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

function problemsOf(schema: z.ZodType, error: z.ZodError): Problem[] {
  const problems = new Map<string, Problem>();
  for (const issue of error.issues.flatMap(ofLikeliestShape)) {
    // Only the first problem of a field is kept.
    if (problems.size >= maxProblems) break;
    if (issue.code !== 'unrecognized_keys') {
      keep({ path: issue.path, kind: issue.code, message: describeIssue(issue) });
      continue;
    }
    for (const key of issue.keys.slice(0, maxProblems)) {
      const message = unknownField(schema, issue.path, key);
      keep({ path: [...issue.path, key], kind: issue.code, message });
    }
  }
  return [...problems.values()].slice(0, maxProblems);

  function keep(problem: Problem): void {
    const at = problem.path.join('.');
    if (!problems.has(at)) problems.set(at, problem);
  }
}

/** For a union: returns the issues of the shape that is closest to the value. */
function ofLikeliestShape(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const strangeness = (shape: readonly z.core.$ZodIssue[]) =>
    shape.reduce(
      (sum, { code, path }) => sum + (code === 'unrecognized_keys' && path.length === 0 ? 1_000 : 1),
      0,
    );
  const [likeliest = []] = issue.errors.toSorted((left, right) => strangeness(left) - strangeness(right));
  return likeliest
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(ofLikeliestShape);
}

/** Returns a field's name, shortened for an answer. */
export function shortened(name: PropertyKey): string {
  const text = String(name);
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength).toWellFormed()}…` : text;
}
