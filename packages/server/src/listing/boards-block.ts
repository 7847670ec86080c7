import { type BoardsBlock, boardsBlockSchema } from '@spaceport/contract/listing';
import { issueOf, parseWith } from '@spaceport/contract/parse';
import { ServiceError } from '../platform/errors.ts';
import { parseJsonBody } from '../platform/http/json.ts';

export type ReadBlock =
  | { readonly is: 'good'; readonly block: BoardsBlock }
  /** One sentence for the owner. */
  | { readonly is: 'bad'; readonly warning: string };

const maxIssues = 3;

/** Reads the text of a page's boards block. */
export function readBoardsBlock(text: string): ReadBlock {
  let value: unknown;
  try {
    value = parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { is: 'bad', warning: 'The boards block is not JSON.' };
  }
  const parsed = parseWith(boardsBlockSchema, value);
  if (parsed.success) return { is: 'good', block: parsed.data };
  const problems = parsed.problems.slice(0, maxIssues).map((problem) => {
    const { path, message } = issueOf(problem);
    return `${path === '' ? 'it' : path} ${message}`;
  });
  const more = parsed.problems.length > maxIssues ? ', and more' : '';
  return {
    is: 'bad',
    warning: `The boards block is not valid: ${problems.join('; ')}${more}.`.slice(0, 1_000),
  };
}
