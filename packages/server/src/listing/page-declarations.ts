import { type Declared, type Problem, planDeclarations, writeDeclarations } from '../declarations/declare.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Writes the declarations of a listed page's boards block, and replaces earlier ones with the same keys,
 * whoever wrote them. A block that does not fit, or names an unknown stat, changes nothing: the result is
 * then one sentence for the owner, else null. The caller has locked the space.
 */
export async function declareByPage(tx: Tx, spaceId: SpaceId, block: Declared): Promise<string | null> {
  const { writable, problems } = await planDeclarations(tx.db, spaceId, block);
  const [problem] = problems;
  if (problem) return `The boards block changes nothing: ${sentenceOf(problem)}`;
  await writeDeclarations(tx, spaceId, writable, { source: 'page', env: 'live' });
  return null;
}

function sentenceOf(problem: Problem): string {
  return problem.is === 'too_many'
    ? `with it the space would have ${problem.wanted} ${problem.kind}, of at most ${problem.max}.`
    : `achievements.${problem.index}.trigger.stat names «${problem.stat}», which is not a stat of the space.`;
}
