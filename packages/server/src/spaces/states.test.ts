import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../platform/errors.ts';
import { nextStates, standingOf, stateActions, stateOf } from './states.ts';

type Given = Parameters<typeof nextStates>[0];

/** Returns the states after a list of actions. Actions that do not apply are left out. */
function after(given: Given, actions: readonly (typeof stateActions)[number][]): Given {
  let now = given;
  for (const action of actions) {
    try {
      now = nextStates(now, action) ?? now;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'conflict');
    }
  }
  return now;
}

describe('states of a space', () => {
  for (const state of ['listed', 'unlisted'] as const) {
    it(`are restored as they were for a space that was ${state}`, () => {
      const start: Given = { state, before: [] };
      assert.equal(after(start, ['hold']).state, 'held');
      assert.deepEqual(after(start, ['hold', 'release']), start);
      assert.deepEqual(after(start, ['hide', 'restore']), start);
      assert.deepEqual(after(start, ['remove', 'restore']), start);
      assert.equal(after(start, ['hold', 'remove', 'restore']).state, 'held');
      assert.deepEqual(after(start, ['hold', 'remove', 'restore', 'release']), start);
      assert.equal(after(start, ['hide', 'hold', 'release']).state, 'hidden');
    });
  }

  it('do not change by repeating an action', () => {
    for (const action of ['hold', 'hide', 'remove'] as const) {
      const once = after({ state: 'listed', before: [] }, [action]);
      assert.equal(nextStates(once, action), null);
    }
  });

  it('refuse an action that does not apply', () => {
    const refused: [Given['state'], (typeof stateActions)[number]][] = [
      ['listed', 'release'],
      ['listed', 'restore'],
      ['held', 'restore'],
      ['hidden', 'release'],
      ['removed', 'release'],
      ['removed', 'hold'],
      ['removed', 'hide'],
    ];
    for (const [state, action] of refused)
      assert.throws(
        () => nextStates({ state, before: ['listed'] }, action),
        (error) => error instanceof ServiceError && error.code === 'conflict',
        `${action} on ${state}`,
      );
  });

  it('can always be led back to the first state, whatever operators do', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...stateActions), { maxLength: 30 }), (actions) => {
        const start: Given = { state: 'unlisted', before: [] };
        let now = after(start, actions);
        for (let steps = 0; steps < 10 && now.before.length > 0; steps++)
          now = after(now, [now.state === 'held' ? 'release' : 'restore']);
        assert.deepEqual(now, start);
      }),
    );
  });

  it('keep the operators’ standing, whatever the creator does and in any order', () => {
    const standings = fc.constantFrom('listed', 'unlisted', 'held', 'hidden', 'removed' as const);
    const flag = fc.constantFrom(0, 1 as const);
    const covers = fc.record({
      offline: flag,
      owner_banned: flag,
      deleted_at: fc.constantFrom(null, 5),
    });
    fc.assert(
      fc.property(standings, covers, (standing, covering) => {
        const state = stateOf(standing, covering);
        const isOnService = state === 'listed' || state === 'unlisted';
        assert.equal(isOnService, isOnService && state === standing && covering.owner_banned === 0);
        if (standing === 'held' || standing === 'removed')
          assert.equal(state, covering.deleted_at === null ? standing : 'deleted');
        assert.equal(stateOf(standing, { offline: 0, owner_banned: 0, deleted_at: null }), standing);
        assert.equal(standingOf({ state, standing: state === standing ? null : standing }), standing);
      }),
    );
  });
});
