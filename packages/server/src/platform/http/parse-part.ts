import { claimCredentials, type Operation } from '@spaceport/contract/operation';
import { asSentence, issueOf, type Problem, parseWith, shortened } from '@spaceport/contract/parse';
import { z } from 'zod';
import { type ErrorDetails, ServiceError } from '../errors.ts';
import { oddText } from './json.ts';

/** The body of an operation that has none: nothing, or an object without fields. */
const noFields = z.strictObject({}).nullish();
/** The same, for an operation that accepts a claim token. */
const claimAlone = z.strictObject({ claim: z.string().optional() }).nullish();

/**
 * Validates a part of a request. Without a schema the result is empty.
 * @throws the refusal of the operation
 */
export function parsePart(
  operation: Operation,
  schema: z.ZodType | undefined,
  value: unknown,
  part: 'path' | 'query' | 'body',
): unknown {
  if (!schema) {
    if (part !== 'body') return {};
    parsePart(operation, claimCredentials.has(operation.credential) ? claimAlone : noFields, value, part);
    return undefined;
  }
  // The body was checked when it was parsed.
  const odd = part === 'body' ? null : oddText(value);
  if (odd) throw refused(operation, [{ ...odd, kind: 'custom' }], part, value);
  const parsed = parseWith(schema, value);
  if (parsed.success) return parsed.data;
  throw refused(operation, parsed.problems, part, value);
}

const maxShownPath = 240;
const namedFiles = 5;
/** What is looked at of a file in a list that is too long to be checked. */
const sized = z.object({ path: z.string(), size: z.number() });

/** Returns the error for the problems of a part of a request. The first problem decides its code. */
export function refused(
  { issueCode }: Pick<Operation, 'issueCode'>,
  problems: readonly Problem[],
  part: 'path' | 'query' | 'body',
  value: unknown,
): ServiceError {
  const [first] = problems;
  const code = (part === 'body' && first && issueCode?.(first.path, first.kind)) || 'invalid';
  const issues = problems.map(issueOf);
  const [issue] = issues;
  const where = issue?.path ? `«${issue.path}»` : `The ${part}`;
  const named: ErrorDetails = {};
  if (code === 'invalid_fields')
    named.fields = [
      ...new Set(
        problems.flatMap(({ path: [at, field] }) =>
          at === 'fields' && field !== undefined ? [shortened(field)] : [],
        ),
      ),
    ];
  if (code === 'invalid_files') named.paths = pathsOf(problems, value);
  if (code === 'too_many_files') named.files = largestOf(value);
  const sentence = `${where} ${issue?.message ?? 'does not match its description'}`;
  return new ServiceError(code, asSentence(sentence), { issues, ...named });
}

/** Returns the manifest paths of the entries that have problems. */
function pathsOf(problems: readonly Problem[], body: unknown): string[] {
  const { files } = body as { files?: unknown };
  const paths = problems.flatMap(({ path: [list, index] }) => {
    const entry: unknown = list === 'files' && Array.isArray(files) ? files[Number(index)] : undefined;
    const { path } = (entry ?? {}) as { path?: unknown };
    return typeof path === 'string' ? [path.slice(0, maxShownPath).toWellFormed()] : [];
  });
  return [...new Set(paths)];
}

/** Returns the largest files of a create that has too many of them. */
function largestOf(body: unknown): z.output<typeof sized>[] {
  const { files } = body as { files: unknown[] };
  return files
    .flatMap((file) => sized.safeParse(file).data ?? [])
    .sort((left, right) => right.size - left.size)
    .slice(0, namedFiles)
    .map(({ path, size }) => ({ path: path.slice(0, maxShownPath).toWellFormed(), size }));
}
