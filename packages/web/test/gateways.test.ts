import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Gateway, gatewayNames, gatewayOf } from '@spaceport/contract/portals';
import type { Browser } from 'playwright-core';
import { documentedGateways, namesOf } from '../../sdk/src/shims/documented.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { shownSpace } from './seed.ts';
import { stagePages } from './stage-pages.ts';

type Said = Readonly<Record<string, unknown>>;
interface Results {
  readonly said: Said;
  readonly touched: readonly string[];
}

const conformance = new URL('../../sdk/test/conformance/', import.meta.url);
const declared = {
  boards: [{ key: 'ours', trust: 'server' as const }, { key: 'points' }],
  achievements: [{ key: 'first', title: 'The first' }, { key: 'other' }],
  portal_keys: {
    newgrounds: {
      app_id: '1:conformance',
      encryption_key: 'AAECAwQFBgcICQoLDA0ODw==',
      medals: { '501': 'first' },
      boards: { '701': 'points' },
    },
    gamejolt: { game_id: '32', trophies: { '9001': 'first' }, tables: { '41': 'points' } },
  },
};

/** The browser gives frames of other sites no storage of their own, as current browsers do by default. */
describe('games that call the servers of portals, on the page of the service', () => {
  let service: TestService;
  let browser: Browser;
  const slugs = new Map<Gateway, string>();
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', GUESTS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    const creator = await service.creator('mira');
    for (const gateway of gatewayNames) {
      const files = {
        'index.html': await readFile(new URL(`${gateway}.html`, conformance)),
        'calls.js': await readFile(new URL('calls.js', conformance)),
      };
      const { space } = await publishLive(service, creator, files, { fields: shownSpace, ...declared });
      slugs.set(gateway, space.slug);
    }
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  const { pageOf, boardOf, using } = stagePages(() => ({ service, browser }));

  /** Returns the results that the page of a game shows, after checking that no request went to the portal. */
  async function resultsOf(gateway: Gateway, as?: SignedUp): Promise<Results> {
    const all: Results[] = [];
    await using(
      pageOf(slugs.get(gateway) ?? ''),
      async (page) => {
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        await page.locator('iframe.frame').waitFor();
        const frame = await (await page.locator('iframe.frame').elementHandle())?.contentFrame();
        assert.ok(frame);
        // Until the game is in the frame, the page's policy forbids what the next line evaluates.
        await frame.waitForURL(({ protocol }) => protocol !== 'about:');
        await frame.waitForFunction('window.results !== undefined');
        all.push((await frame.evaluate('window.results')) as Results);
        assert.deepEqual(requests.filter(gatewayOf), []);
      },
      as ? { as } : {},
    );
    const [results] = all;
    assert.ok(results);
    return results;
  }
  const entriesOf = async (gateway: Gateway) =>
    (await boardOf(slugs.get(gateway) ?? '')).map(({ handle, score }) => [handle, score]);
  const failed = (code: number | string | boolean) => ({ failed: code });

  function includes(said: Said, expected: Said): void {
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(said[name], value, name);
  }

  const anybody = {
    'another game': 200,
    'no such component': failed(103),
    'Gateway.ping': { pong: 'pong' },
    'Gateway.ping by form': { pong: 'pong' },
    'Gateway.ping by query': { pong: 'pong' },
    several: [
      ['Gateway.ping', 'a'],
      ['Gateway.getVersion', null],
    ],
    'stopping the page': 504,
    elsewhere: true,
    'Gateway.getDatetime': true,
    'App.getCurrentVersion': { current_version: '1.2.3', client_deprecated: false },
    'App.getHostLicense': { host_approved: true },
    'Event.logEvent': { event_name: 'begun' },
    'Loader.loadReferral': true,
    'ScoreBoard.getBoards': { scoreboards: [{ id: 701, name: 'points' }] },
    'ScoreBoard.getScores of a year': failed(103),
    'Medal.getList': [[501, 'The first', false]],
  };

  it('Newgrounds.io: the page of conformance calls every component; a guest is told to sign in', async () => {
    const { said, touched } = await resultsOf('newgrounds');
    const names = namesOf(documentedGateways.newgrounds);
    assert.deepEqual(
      names.filter((name) => !touched.includes(name)),
      [],
    );
    includes(said, {
      ...anybody,
      'App.startSession': 'https://www.newgrounds.io/passport',
      'App.checkSession': 'https://www.newgrounds.io/passport',
      'Medal.unlock': failed(110),
      'ScoreBoard.postScore': failed(110),
      'CloudSave.loadSlot': failed(110),
    });
    assert.deepEqual(await entriesOf('newgrounds'), []);
  });

  it('Newgrounds.io: a signed-in player has medals, a rank and slots, by encrypted calls too', async () => {
    const player = await signUp(service, { handle: 'medal_player' });
    const { said } = await resultsOf('newgrounds', player);
    includes(said, {
      ...anybody,
      'App.startSession': 'medal_player',
      'App.checkSession': 'medal_player',
      'Medal.unlock': true,
      'Medal.unlock of none': failed(202),
      'Medal.unlock in other words': 201,
      'Medal.getList after': [[501, 'The first', true]],
      'Medal.getMedalScore': { medal_score: 0 },
      'ScoreBoard.postScore': ['points', 70],
      'ScoreBoard.postScore of half a point': failed(103),
      'ScoreBoard.postScore elsewhere': failed(203),
      'ScoreBoard.getScores': [['medal_player', 70, '70']],
      'ScoreBoard.getScores skipped': [],
      'ScoreBoard.getScores of the player': [['medal_player', 70, '70']],
      'CloudSave.loadSlot': null,
      'CloudSave.setData': 10,
      'CloudSave.setData too large': failed(108),
      'CloudSave.loadSlots': ['é 100% #1', null, null],
      'CloudSave.clearSlot': null,
      'after the session': failed(110),
    });
    assert.deepEqual(await entriesOf('newgrounds'), [['medal_player', 70]]);
    const again = await resultsOf('newgrounds', player);
    includes(again.said, { 'CloudSave.loadSlot': 'é 100% #1', 'Medal.getList': [[501, 'The first', true]] });
  });

  const nobody = failed('No such user with the credentials passed in could be found.');

  it('Game Jolt: the page of conformance calls every endpoint; a guest is not a user of it', async () => {
    const { said, touched } = await resultsOf('gamejolt');
    const names = namesOf(documentedGateways.gamejolt);
    assert.deepEqual(
      names.filter((name) => !touched.includes(name)),
      [],
    );
    includes(said, {
      'another game': failed('The game ID you passed in does not point to a valid game.'),
      'no signature': 'You must enter a signature with your request.',
      'no such endpoint': failed('Unknown fatal error occurred.'),
      time: 'timestamp,timezone,year,month,day,hour,minute,second',
      'users/auth': nobody,
      trophies: nobody,
      'scores/tables': { tables: [{ id: '41', name: 'points', description: '', primary: '1' }] },
      'scores/add of a guest': failed('Guests are not allowed to enter scores for this game.'),
      scores: [],
      'as XML': 'points',
      batch: ['false', 'true', 'true'],
      'batch in parallel': ['false', 'true', 'true'],
      'batch until an error': ['false'],
    });
  });

  it('Game Jolt: a signed-in player has trophies, a rank and a data store', async () => {
    const player = await signUp(service, { handle: 'trophy_player' });
    const { said } = await resultsOf('gamejolt', player);
    includes(said, {
      'users/auth': {},
      users: 'trophy_player',
      'users of another': failed('No such user could be found.'),
      friends: { friends: [] },
      'sessions/ping before': failed('Could not find an open session. You must open a new one.'),
      'sessions/open': {},
      'sessions/ping': {},
      'sessions/check': {},
      'sessions/close': {},
      'sessions/check after': failed(false),
      trophies: [['9001', 'The first', false]],
      'trophies/add-achieved': {},
      'trophies/add-achieved again': failed('The user already has this trophy.'),
      'trophies/add-achieved of none': failed('The trophy returned does not belong to this game.'),
      'trophies achieved': [['9001', 'The first', true]],
      'trophies not achieved': [],
      'trophies/remove-achieved': failed('What a player has achieved stays.'),
      'scores/add': {},
      'scores/add to a table': {},
      'scores/add without a number': failed(
        'You must enter a sort value for this score, and it must be numeric.',
      ),
      scores: [['trophy_player', '90', '90']],
      'scores better': [],
      'scores worse': [['trophy_player', '90', '90']],
      'scores of the player': [['trophy_player', '90', '90']],
      'scores/get-rank': { rank: '2' },
      'data-store before': failed('No item with that key could be found.'),
      'data-store/update': { data: '12' },
      'data-store/update by text': failed('Value must be numeric if operation is mathematical.'),
      'data-store': { data: '12"' },
      'data-store/get-keys': [{ key: 'save|1' }],
      'data-store of all': failed('No item with that key could be found.'),
      'data-store/set for all': failed(
        'This key has restrictions placed on it. Please pass in a restriction user with valid permissions.',
      ),
      'as keypair': 'success:"true"\ndata:"12\\""\n',
      'as dump': 'SUCCESS\n12"',
      'data-store after': failed('No item with that key could be found.'),
    });
    assert.deepEqual(await entriesOf('gamejolt'), [['trophy_player', 90]]);
  });
});
