import type { SpaceId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import type { Standing } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { changeSpaceRow, lockEvenDeleted, type SpaceRow } from './spaces.queries.ts';

/** What covers a space's standing: its creator's offline switch, its deletion, and a ban of the account. */
export type Covers = Pick<SpaceRow, 'offline' | 'owner_banned' | 'deleted_at'>;

export const stateActions = ['hold', 'release', 'hide', 'remove', 'restore'] as const;
/** An action of an operator on a space. */
export type StateAction = (typeof stateActions)[number];

type Rule =
  /** Covers the current state with another one. */
  | { readonly from: readonly Standing[]; readonly to: Standing }
  /** Returns to the state before. */
  | { readonly from: readonly Standing[]; readonly to: 'before' };

const rules: Record<StateAction, Rule> = {
  hold: { from: ['listed', 'unlisted', 'hidden'], to: 'held' },
  hide: { from: ['listed', 'unlisted', 'held'], to: 'hidden' },
  remove: { from: ['listed', 'unlisted', 'held', 'hidden'], to: 'removed' },
  release: { from: ['held'], to: 'before' },
  restore: { from: ['hidden', 'removed'], to: 'before' },
};

/**
 * Returns the states after an action, or null if nothing changes.
 * @throws `conflict` if the action is not possible
 */
export function nextStates(
  { state, before }: { state: Standing; before: readonly Standing[] },
  action: StateAction,
): { state: Standing; before: Standing[] } | null {
  const { from, to } = rules[action];
  // Repeating an action changes nothing.
  if (state === to) return null;
  if (!from.includes(state))
    throw new ServiceError('conflict', `The space is ${state}; «${action}» does not apply to it.`);
  if (to !== 'before') return { state: to, before: [...before, state] };
  return { state: before.at(-1) ?? 'listed', before: before.slice(0, -1) };
}

/**
 * Returns the state of a space that everyone sees. Operators' states take precedence over the creator's:
 * going offline and back, or deleting and restoring, never undoes an operator's action. A ban hides a space
 * that would otherwise be on the service.
 */
export function stateOf(
  standing: Standing,
  { offline, owner_banned, deleted_at }: Covers,
): SpaceRow['state'] {
  if (deleted_at !== null) return 'deleted';
  if (standing !== 'listed' && standing !== 'unlisted') return standing;
  if (owner_banned === 1) return 'hidden';
  return offline === 1 ? 'offline' : standing;
}

/** Returns the state that listing and operators give a space, whatever covers it. */
export function standingOf({ state, standing }: Pick<SpaceRow, 'state' | 'standing'>): Standing {
  if (standing !== null) return standing;
  if (state === 'offline' || state === 'deleted') throw new Error(`a space that is ${state} has no standing`);
  return state;
}

/** Changes what covers a space, which the caller has locked. Returns the space after the change. */
export async function cover(tx: Tx, space: SpaceRow, change: Partial<Covers>): Promise<SpaceRow> {
  return writeStates(tx, { ...space, ...change }, standingOf(space));
}

/**
 * Performs the action in the caller's transaction. Release and restore bring back the earlier standing.
 * Returns the space after the action, and whether anything changed.
 * @param message what the owner reads about it until the space is back
 * @throws `not_found` and `conflict`
 */
export async function changeState(
  tx: Tx,
  spaceId: SpaceId,
  action: StateAction,
  message: string | null,
): Promise<{ space: SpaceRow; changed: boolean }> {
  const space = await lockEvenDeleted(tx, spaceId);
  if (!space) throw new ServiceError('not_found', 'There is no such space.');
  const before = fromJson(space.states_before);
  const next = nextStates({ state: standingOf(space), before }, action);
  if (!next) return { space, changed: false };
  const isBack = rules[action].to === 'before';
  const changed = {
    ...space,
    states_before: toJson(next.before),
    operators_message: isBack ? null : message,
  };
  return { space: await writeStates(tx, changed, next.state), changed: true };
}

/** Lists a space that was unlisted, in the caller's transaction. A state that an operator gave it stays. */
export async function listUnlisted(tx: Tx, space: SpaceRow): Promise<void> {
  const listed = (standing: Standing) => (standing === 'unlisted' ? 'listed' : standing);
  const before = fromJson(space.states_before).map(listed);
  await writeStates(tx, { ...space, states_before: toJson(before) }, listed(standingOf(space)));
}

async function writeStates(tx: Tx, space: SpaceRow, standing: Standing): Promise<SpaceRow> {
  const state = stateOf(standing, space);
  const change = { state, standing: state === standing ? null : standing };
  const { states_before, operators_message, offline, owner_banned, deleted_at } = space;
  const kept = { states_before, operators_message, offline, owner_banned, deleted_at };
  await changeSpaceRow(tx, space.id, { ...change, ...kept });
  return { ...space, ...change };
}
