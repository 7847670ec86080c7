import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import { createCrazyGames } from '../../src/shims/crazygames/crazygames.ts';
import { createPoki } from '../../src/shims/poki/poki.ts';
import type { ShimHost } from '../../src/shims/shim-host.ts';
import type { Room } from '../../src/types.ts';
import { app, framedModule } from '../support/fake-page.ts';

const crazyGamesAt = (address: string) => opened(createCrazyGames, address).sdk.game;

function opened<Sdk>(make: (host: ShimHost) => Sdk, address = 'https://moon.play.example/') {
  const page = framedModule(() => null, { address });
  page.answer();
  const sdk = make({ spaceport: page.module, served: { app, board: null }, frame: page.window.frame });
  page[Symbol.dispose]();
  return { sdk, module: page.module, heard: page.heard };
}

describe('an invitation of a game that was made for CrazyGames', () => {
  test('opens the page around the space, for every host that serves it', () => {
    const linkAt = (host: string) => crazyGamesAt(`https://${host}/`).inviteLink({ room: 7, map: 'a b' });
    assert.deepEqual(
      ['moon.play.example', 'u--moon.temp.example', 'p--abc.temp.example'].map(linkAt),
      ['s/moon', 's/moon', 'preview/p--abc'].map((path) => `${app}/${path}?with=room%3D7%26map%3Da%2Bb`),
    );
    assert.equal(crazyGamesAt('https://moon.play.example/').link, `${app}/s/moon`);
    assert.equal(crazyGamesAt('https://moon.play.example/').inviteLink(), `${app}/s/moon`);
  });

  test('is read by the game that it opened', () => {
    const game = crazyGamesAt('https://moon.play.example/~7/?room=7&map=a+b');
    assert.deepEqual(game.inviteParams, { room: '7', map: 'a b' });
    assert.deepEqual([game.getInviteParam('map'), game.getInviteParam('other')], ['a b', null]);
    assert.equal(game.isInstantMultiplayer, false);
    const alone = crazyGamesAt('https://moon.play.example/');
    assert.deepEqual([alone.inviteParams, alone.getInviteParam('room')], [null, null]);
  });

  test('can ask for a room at once without other parameters', () => {
    const game = crazyGamesAt('https://moon.play.example/?instantJoin=true');
    assert.deepEqual([game.isInstantMultiplayer, game.isInstantJoin, game.inviteParams], [true, true, null]);
  });

  test('is offered by the page until the game withdraws it', async () => {
    using page = framedModule();
    page.answer();
    await page.module.ready();
    const { game } = createCrazyGames({
      spaceport: page.module,
      served: { app, board: null },
      frame: page.window.frame,
    });
    assert.equal(game.showInviteButton({ room: 7 }), `${app}/s/moon?with=room%3D7`);
    game.hideInviteButton();
    game.updateRoom({ roomId: 'r1', isJoinable: true });
    game.updateRoom({ roomId: 'r1', isJoinable: true, inviteParams: { map: 2 } });
    game.updateRoom({ roomId: 'r1', isJoinable: false });
    game.updateRoom();
    game.leftRoom();
    await page.module.achievements.list();
    assert.deepEqual(
      page.heard.filter(({ m }) => String(m) === 'invite').map(({ a }) => a[0]),
      ['room=7', null, 'roomId=r1', 'map=2', null, '', null],
    );
  });

  test('leads into our room while the game is in one', async () => {
    const { sdk, module } = withRooms(createCrazyGames);
    const first = await module.rooms.create();
    assert.equal(sdk.game.inviteLink({ map: 2 }), `${app}/s/moon?room=AAAAA&with=map%3D2`);
    const second = await module.rooms.join('BBBBB');
    first.end();
    assert.equal(sdk.game.inviteLink(), `${app}/s/moon?room=BBBBB`);
    second.end();
    assert.equal(sdk.game.inviteLink(), `${app}/s/moon`);
  });
});

describe('a link that a game for Poki shares', () => {
  test('opens the page around the space, and is read by the game that it opened', async () => {
    const shared = await opened(createPoki).sdk.shareableURL({ id: 'a b', type: 1 });
    assert.equal(shared, `${app}/s/moon?with=gdid%3Da%2Bb%26gdtype%3D1`);
    const { sdk } = opened(createPoki, 'https://moon.play.example/?gdid=a+b&plain=1');
    assert.deepEqual(['id', 'plain', 'other'].map(sdk.getURLParam), ['a b', '1', '']);
  });

  test('leads into our room that the game is in', async () => {
    const { sdk, module } = withRooms(createPoki);
    await module.rooms.quick();
    assert.equal(await sdk.shareableURL(), `${app}/s/moon?room=CCCCC`);
  });
});

/** Returns an SDK over a module whose rooms open at once, and end when the test says so. */
function withRooms<Sdk>(make: (host: ShimHost) => Sdk) {
  const roomOf = (code: string) => {
    let end = () => {};
    const ticket: RoomTicket = { url: '', ticket: '', code, link: '' };
    const room = {
      ...ticket,
      on: (_event: string, listener: () => void) => (end = listener),
      end: () => end(),
    };
    return room as unknown as Room & { end(): void };
  };
  const rooms = {
    create: async () => roomOf('AAAAA'),
    join: async (code: string) => roomOf(code),
    quick: async () => roomOf('CCCCC'),
  };
  const { spaceport, ...host } = hostOf();
  Object.assign(spaceport.rooms, rooms);
  const sdk = make({ spaceport, ...host });
  return { sdk, module: spaceport as unknown as { rooms: typeof rooms } };
}

function hostOf(): ShimHost {
  const page = framedModule();
  page.answer();
  page[Symbol.dispose]();
  return { spaceport: page.module, served: { app, board: null }, frame: page.window.frame };
}
