import type { Finding } from '@spaceport/contract/versions';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { tooMany } from '../platform/limits/fit-keys.ts';
import { type Declared, type Plan, type Problem, planDeclarations, writeDeclarations } from './declare.ts';

/**
 * Checks that the space (null: a new one) has room for all declarations of service.json.
 * @throws `too_many` and `invalid_declaration`
 */
export async function requireDeclarable(db: Db, spaceId: SpaceId | null, declared: Declared): Promise<void> {
  await planWhole(db, spaceId, declared);
}

async function planWhole(db: Db, spaceId: SpaceId | null, declared: Declared): Promise<Plan> {
  const plan = await planDeclarations(db, spaceId, declared);
  const [problem] = plan.problems;
  if (problem) throw refusal(problem);
  return plan;
}

function refusal(problem: Problem): ServiceError {
  if (problem.is === 'too_many') return tooMany(problem.kind, problem.max, problem.wanted);
  const path = `achievements.${problem.index}.trigger.stat`;
  const message = `names the stat «${problem.stat}», which is not declared`;
  return new ServiceError('invalid_declaration', `«${path}» ${message}.`, { issues: [{ path, message }] });
}

/**
 * Writes the declarations of a version that was finished as a preview into the sandbox, to be tried. The
 * caller has locked the space.
 * @throws the errors of `requireDeclarable`
 */
export async function declareInSandbox(tx: Tx, spaceId: SpaceId, declared: Declared): Promise<void> {
  const { writable } = await planWhole(tx.db, spaceId, declared);
  await writeDeclarations(tx, spaceId, writable, { source: 'page', env: 'sandbox' });
}

/** The rule that `declareByVersion`'s finding names. */
export const declarationsRule = 'declarations';

/**
 * Writes the declarations of a version that goes live, and replaces earlier ones with the same keys, whoever
 * wrote them. It is too late to refuse the version, so what fits is written in its order and the rest is
 * left out. Returns a finding about what was left out, for the version's report; null if nothing was. The
 * caller has locked the space.
 */
export async function declareByVersion(
  tx: Tx,
  spaceId: SpaceId,
  declared: Declared,
): Promise<Finding | null> {
  const { writable, problems } = await planDeclarations(tx.db, spaceId, declared);
  await writeDeclarations(tx, spaceId, writable, { source: 'page', env: 'live' });
  if (problems.length === 0) return null;
  return {
    rule: declarationsRule,
    severity: 'warn',
    path: 'service.json',
    message: `Not everything that the version declares is in effect: ${problems.map(whatIsLeftOut).join('; ')}.`,
    fix: 'Delete what the space does not need any more, then publish again or roll back to this version.',
  };
}

const namedKeys = 5;

function whatIsLeftOut(problem: Problem): string {
  if (problem.is === 'unknown_stat')
    return `the trigger of achievement ${problem.index + 1} names «${problem.stat}», which is not a stat any more`;
  const { kind, max, over } = problem;
  const more = over.length > namedKeys ? `, and ${over.length - namedKeys} more` : '';
  return `the space has too many ${kind} (${max} at most) to add ${over.slice(0, namedKeys).join(', ')}${more}`;
}
