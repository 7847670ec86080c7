import type { Tx } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { changeSpaceRow, lockSpace, type SpaceRow } from './spaces.queries.ts';

type State = SpaceRow['state'];
export const stateActions = ['hold', 'release', 'hide', 'remove', 'restore'] as const;
/** What an operator does to a space (contract §3). */
export type StateAction = (typeof stateActions)[number];

type Rule =
  /** Covers the state there was. */
  | { readonly from: readonly State[]; readonly to: State }
  /** Uncovers it. */
  | { readonly from: readonly State[]; readonly to: 'before' };

const rules: Record<StateAction, Rule> = {
  hold: { from: ['listed', 'unlisted', 'hidden'], to: 'held' },
  hide: { from: ['listed', 'unlisted', 'held'], to: 'hidden' },
  remove: { from: ['listed', 'unlisted', 'held', 'hidden'], to: 'removed' },
  release: { from: ['held'], to: 'before' },
  restore: { from: ['hidden', 'removed'], to: 'before' },
};

/** The states after an action, or null where nothing changes. Throws `conflict` where the action is not possible. */
export function nextStates(
  { state, before }: { state: State; before: readonly State[] },
  action: StateAction,
): { state: State; before: State[] } | null {
  const { from, to } = rules[action];
  // The same thing twice is done already.
  if (state === to) return null;
  if (!from.includes(state))
    throw new ServiceError('conflict', `The space is ${state}; «${action}» does not apply to it.`);
  if (to !== 'before') return { state: to, before: [...before, state] };
  return { state: before.at(-1) ?? 'listed', before: before.slice(0, -1) };
}

/**
 * Does the action in the caller's transaction: the space as it now is, and whether that is new. Release and restore
 * bring back the state there was before. Throws `not_found` and `conflict`.
 */
export async function changeState(
  tx: Tx,
  spaceId: string,
  action: StateAction,
  now: number,
): Promise<{ space: SpaceRow; changed: boolean }> {
  const space = await lockSpace(tx, spaceId);
  if (!space) throw new ServiceError('not_found', 'There is no such space.');
  const before = JSON.parse(space.states_before) as State[];
  const next = nextStates({ state: space.state, before }, action);
  if (!next) return { space, changed: false };
  const change = { state: next.state, states_before: JSON.stringify(next.before) };
  await changeSpaceRow(tx, space.id, change, now);
  return { space: { ...space, ...change }, changed: true };
}
