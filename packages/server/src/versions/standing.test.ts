import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenId } from '../platform/db/ids.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import {
  isOffService,
  isPreviewable,
  isSuperseded,
  possibleWith,
  requireApprovable,
  reviewProblem,
  rollbackProblem,
  whyEnded,
} from './standing.ts';
import type { VersionRow } from './versions.queries.ts';

type Space = Pick<SpaceRow, 'slug' | 'state' | 'hosted' | 'live_version_id'>;
type Version = Pick<
  VersionRow,
  'id' | 'number' | 'status' | 'live_at' | 'left_behind' | 'review_requested_at' | 'finished_as_preview'
>;

const space: Space = { slug: 'moon', state: 'listed', hosted: 1, live_version_id: givenId('ver', 'ver_5') };
const live = { number: 5 };
const old: Version = {
  id: givenId('ver', 'ver_3'),
  number: 3,
  status: 'live',
  live_at: 1,
  left_behind: 0,
  review_requested_at: null,
  finished_as_preview: 0,
};
const refused: Version = { ...old, id: givenId('ver', 'ver_7'), number: 7, status: 'refused', live_at: null };
const codeOf = (act: () => unknown) => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the standing of a version', () => {
  it('is superseded when a newer version is live, and otherwise not', () => {
    assert.equal(isSuperseded(space, { number: 4 }, live), true);
    assert.equal(isSuperseded(space, { number: 5 }, live), false);
    assert.equal(isSuperseded(space, { number: 6 }, live), false);
    assert.equal(isSuperseded(space, { number: 4 }, null), false);
    assert.equal(isSuperseded({ hosted: 0 }, { number: 4 }, live), false);
  });

  it('is previewable unless the version is unfinished or refused, or its space is off the service', () => {
    const shown = (['uploading', 'preview', 'checking', 'live', 'refused', 'unjudged'] as const).filter(
      (status) => isPreviewable({ status }),
    );
    assert.deepEqual(shown, ['preview', 'checking', 'live', 'unjudged']);
    const off = (['listed', 'unlisted', 'offline', 'held', 'hidden', 'removed', 'deleted'] as const).filter(
      (state) => isOffService({ state }),
    );
    assert.deepEqual(off, ['held', 'hidden', 'removed', 'deleted']);
  });

  it('ends a check when the space is off the service or moved', () => {
    assert.equal(whyEnded(space, old), null);
    assert.match(whyEnded({ state: 'hidden' }, old) ?? '', /was hidden/u);
    assert.match(whyEnded(space, { left_behind: 1 }) ?? '', /moved to a live URL/u);
  });

  it('says which versions can be rolled back to', () => {
    assert.equal(rollbackProblem(space, old), null);
    assert.match(rollbackProblem({ hosted: 0 }, old) ?? '', /its own live URL/u);
    assert.match(rollbackProblem(space, { ...old, left_behind: 1 }) ?? '', /before the space moved/u);
    assert.match(rollbackProblem(space, { ...old, live_at: null }) ?? '', /never live/u);
  });

  it('says which versions can be reviewed and approved', () => {
    assert.equal(reviewProblem(space, refused, live), null);
    assert.equal(reviewProblem(space, { ...refused, status: 'unjudged' }, null), null);
    assert.equal(reviewProblem(space, old, live)?.code, 'not_refused');
    assert.equal(reviewProblem(space, { ...refused, left_behind: 1 }, live)?.code, 'not_hosted');
    assert.equal(reviewProblem(space, { ...refused, number: 4 }, live)?.code, 'superseded');
    const approve = (state: SpaceRow['state'], version = refused) =>
      codeOf(() => requireApprovable({ slug: 'moon', state }, version));
    assert.deepEqual(
      [approve('listed'), approve('held'), approve('removed'), approve('hidden')],
      [null, 'held', 'removed', 'space_unavailable'],
    );
    assert.equal(approve('listed', { ...refused, left_behind: 1 }), 'not_hosted');
    // A preview is shown again, whatever is live and wherever its space is.
    const preview: Version = { ...refused, finished_as_preview: 1, number: 4, left_behind: 1 };
    assert.equal(reviewProblem(space, preview, live), null);
    assert.equal(approve('listed', preview), null);
    assert.equal(approve('held', preview), 'held');
  });

  it('is shown in the list by the same rules', () => {
    assert.deepEqual(possibleWith(space, old, live), { live: false, rollback: true, reviewable: false });
    assert.deepEqual(possibleWith(space, { ...old, id: givenId('ver', 'ver_5'), number: 5 }, live), {
      live: true,
      rollback: false,
      reviewable: false,
    });
    assert.deepEqual(possibleWith(space, refused, live), { live: false, rollback: false, reviewable: true });
    const never = { live: false, rollback: false, reviewable: false };
    assert.deepEqual(possibleWith(space, { ...refused, review_requested_at: 1 }, live), never);
    for (const state of ['held', 'removed'] as const) {
      assert.deepEqual(possibleWith({ ...space, state }, old, live), never);
      assert.deepEqual(possibleWith({ ...space, state }, refused, live), never);
    }
  });
});
