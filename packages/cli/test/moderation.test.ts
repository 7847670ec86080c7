import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createGameServer } from '@spaceport/client/game-server';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

/** Runs the commands as a creator does, against the real service. */
describe('spaceport bans, scores and reset', () => {
  let service: TestService;
  let creator: Persona;
  let player: Persona;
  let space: SpaceFolder;
  before(async () => {
    service = await startService();
    creator = await service.creator();
    player = await service.creator();
  });
  after(() => service.close());
  beforeEach(async () => {
    space = await openSpaceFolder(service, creator);
  });
  afterEach(() => space.remove());

  /** Declares a board. Returns the client of the space's own game server, which posts to it. */
  async function game() {
    const put = await space.json(['boards', 'put', '-'], '[{ "key": "points" }]');
    assert.equal(put.code, 0, put.stderr);
    const { secret } = (await space.json(['secret', 'issue', '--yes'])).document;
    return createGameServer({ baseUrl: service.baseUrl, secret, retry: false });
  }

  test('ban a player, lift the ban, and delete a score', async () => {
    const server = await game();
    const { submission } = await server.postScore({ board: 'points', player: player.handle, score: 5 });
    assert.match((await space.cli(['bans', 'list'])).stdout, /^Nobody is banned/u);
    const added = await space.cli(['bans', 'add', `@${player.handle}`]);
    assert.deepEqual(
      [added.code, added.stdout],
      [0, `@${player.handle} is banned from the boards of ${space.slug}.\n`],
    );
    assert.match(
      (await space.cli(['bans', 'list'])).stdout,
      new RegExp(`^Player +Banned\n@${player.handle} +\\d{4}`, 'u'),
    );
    const refused = server.postScore({ board: 'points', player: player.handle, score: 6 });
    await assert.rejects(refused, { code: 'banned' });
    assert.equal((await space.json(['bans', 'lift', player.handle])).document.banned, false);
    const nobody = await space.json(['bans', 'add', 'nobody_at_all']);
    assert.deepEqual([nobody.code, nobody.document.error.code], [exitCodes.invalid, 'no_such_player']);

    assert.equal((await space.cli(['scores', 'delete', 'seven'])).code, exitCodes.usage);
    const deleted = await space.json(['scores', 'delete', String(submission.id)]);
    assert.deepEqual(deleted.document, { space: space.slug, id: submission.id, deleted: true });
    const gone = await space.json(['scores', 'delete', String(submission.id)]);
    assert.deepEqual([gone.code, gone.document.error.code], [exitCodes.invalid, 'not_found']);
    assert.match(gone.document.error.next, /^The entries of a board name it/u);
  });

  test('clear the scores of a player or a time after confirmation', async () => {
    const server = await game();
    for (const score of [5, 6]) await server.postScore({ board: 'points', player: player.handle, score });
    await server.postScore({ board: 'points', player: creator.handle, score: 7 });
    for (const wrong of [[], ['--board', 'points'], ['--of', 'two'], ['--from', 'yesterday']])
      assert.equal((await space.cli(['scores', 'clear', ...wrong])).code, exitCodes.usage, wrong.join(' '));
    // `Date.parse` reads all of these, as days long ago or in this machine's zone.
    for (const odd of ['7', 'last 7', '2026-1-5', '2026-01-31T12:00', '2026-02-30'])
      assert.equal((await space.cli(['scores', 'clear', '--from', odd])).code, exitCodes.usage, odd);
    const dry = await space.cli(['scores', 'clear', '--player', `@${player.handle}`, '--dry-run']);
    assert.equal(dry.stdout, 'Board   Scores  Players\npoints  2       1\n2 scores would be deleted.\n');
    const unasked = await space.json(['scores', 'clear', '--player', player.handle]);
    assert.deepEqual([unasked.code, unasked.document.error.code], [exitCodes.usage, 'not_confirmed']);
    const { document } = await space.json(['scores', 'clear', '--player', player.handle, '--yes']);
    assert.deepEqual([document.dry_run, document.submissions], [false, 2]);
    const rest = await space.json(['scores', 'clear', '--from', '2020-01-01', '--board', 'points', '--yes']);
    assert.equal(rest.document.submissions, 1);
    for (const version of ['1', 'v1']) {
      const none = await space.cli(['scores', 'clear', '--of', version, '--sandbox']);
      assert.equal(none.stdout, 'No scores match.\n', none.stderr);
    }
  });

  test('reset the sandbox after confirmation', async () => {
    const server = await game();
    const { handle } = player;
    for (const score of [5, 6]) {
      await server.postScore({ board: 'points', player: handle, score, sandbox: true });
    }
    await server.postScore({ board: 'points', player: creator.handle, score: 7, sandbox: true });
    const unasked = await space.json(['reset']);
    assert.deepEqual([unasked.code, unasked.document.error.code], [exitCodes.usage, 'not_confirmed']);
    assert.match(unasked.document.error.message, /deletes all data in the sandbox of .*; live data stays/u);
    const one = await space.json(['reset', '--category', 'scores', '--player', `@${handle}`, '--yes']);
    assert.deepEqual(one.document, { space: space.slug, deleted: { scores: 2 } });
    const rest = await space.cli(['reset', '-y']);
    assert.match(
      rest.stdout,
      /^Category +Deleted\nscores +1\nsaves +0\nachievements +0\ncontent +0\nrooms +0\n$/u,
    );
    const strange = await space.json(['reset', '--category', 'scores,hats', '--yes']);
    assert.deepEqual([strange.code, strange.document.error.code], [exitCodes.usage, 'usage']);
    const nobody = await space.json(['reset', '--player', 'nobody_at_all', '--yes']);
    assert.deepEqual([nobody.code, nobody.document.error.code], [exitCodes.invalid, 'no_player']);
  });
});
