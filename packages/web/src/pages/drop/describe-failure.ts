import { ApiError } from '@spaceport/client/api-error';
import { FileChangedError } from '@spaceport/client/source';
import { describeError, type ErrorText, problemLines } from '../../ui/describe-error.ts';
import { formatBytes } from '../../ui/text.tsx';
import { DropError } from './collect.ts';
import { ReadError } from './file-desk.ts';

/** Why a publish failed, for the person who dropped the files. */
export interface Failure {
  readonly text: string;
  /** Files or fields, each with its problem. */
  readonly lines: readonly string[];
  /** What to do next. */
  readonly next: string | null;
  readonly mayRetry: boolean;
  readonly signIn: boolean;
}

const steps: Readonly<Record<string, string>> = {
  too_large: 'Make these files smaller or leave them out, then drop the folder again.',
  invalid_files: 'Rename these files, then drop the folder again.',
  invalid_declaration: 'Correct service.json, then drop the folder again.',
  invalid_fields: 'Correct these fields and publish again.',
  missing_fields: 'Fill in these fields and publish again.',
  no_entry:
    'Put the page that opens at the top and name it index.html, or name it as "entry" in service.json.',
  too_many: 'Remove some from service.json, or delete those that the space does not need any more.',
  claim_spent: 'Sign in as the account that claimed it, or publish as a new page.',
  claim_expired: 'Publish as a new page.',
  claim_not_found: 'Publish as a new page.',
  held: 'The operators of this service are reviewing the space. Publish as a new space, or wait.',
  removed: 'The space was taken off the service. Publish as a new one.',
};

export function describeFailure(error: unknown): Failure {
  if (error instanceof DropError || error instanceof ReadError || error instanceof FileChangedError)
    return { text: error.message, lines: [], next: null, mayRetry: false, signIn: false };
  const { text, next: told, problems, mayRetry, signIn } = describeError(error);
  if (!(error instanceof ApiError)) return { text, lines: [], next: null, mayRetry, signIn };
  const next = told ?? steps[error.code] ?? null;
  const lines = linesOf(error, problems);
  // For a single problem the message says the same as its line.
  return { text, lines: lines.length > 1 ? lines : [], next, mayRetry: mayRetry && next === null, signIn };
}

function linesOf({ code, details }: ApiError, problems: ErrorText['problems']): string[] {
  const files = listOf(details.files).flatMap(({ path, size }) =>
    typeof path === 'string' && typeof size === 'number' ? [`${path}: ${formatBytes(size)}`] : [],
  );
  if (files.length > 0) return files;
  const paths = Array.isArray(details.paths) ? details.paths.map(String) : [];
  const issues = listOf(details.issues).map(({ message }) => String(message));
  // `paths` and `issues` are in the same order.
  if (code === 'invalid_files') return paths.map((path, at) => `${path} ${issues[at] ?? ''}`.trim());
  return problemLines(problems);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
