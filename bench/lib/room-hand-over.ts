import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Room } from '../../packages/sdk/src/types.ts';
import { guestPlayer } from '../../packages/server/test/played.ts';
import { rawRequest } from '../../packages/server/test/raw-http.ts';
import { openSocketsFrom, RoomBrowser } from '../../packages/server/test/room-browser.ts';
import { seedSpace } from './board-data.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import { openData } from './open-data.ts';
import { end } from './processes.ts';
import { createToken, type ServiceUnderTest, startService } from './service.ts';

type GetArguments = Parameters<Parameters<typeof guestPlayer>[0]['get']>;

const writtenAfterMs = 1_000;

/** Two nodes on one database, and the space of the room. */
interface Nodes {
  readonly owner: ServiceUnderTest;
  readonly other: ServiceUnderTest;
  readonly slug: string;
}

/**
 * Kills the node that has a room, once per round. One of the room's two members joined by this node, the
 * other by another node. @returns for each round the seconds until both are in the room again, with its state
 */
export async function handOvers(folder: string, rounds: number): Promise<number[]> {
  await using postgres = await startDurablePostgres('all');
  const environment = { DATABASE_URL: await postgres.createDatabase('rooms') };
  const data = join(folder, 'hand-over');
  await mkdir(data);
  await createToken(data, 'bench', environment);
  const slug = await seed(data, environment);
  await using other = await startService(data, { role: 'serve', side: 'all', environment });
  const shared = { ...environment, BASE_URL: other.baseUrl };
  openSocketsFrom(other.baseUrl, new URL(other.baseUrl).host);
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using owner = await startService(data, { role: 'serve', side: 'all', environment: shared });
    seconds.push(await handOver({ owner, other, slug }));
  }
  return seconds;
}

async function handOver({ owner, other, slug }: Nodes): Promise<number> {
  let isGone = false;
  const portOf = (liked: ServiceUnderTest) => () => (isGone ? other : liked).port;
  const member = (liked: ServiceUnderTest) => {
    const port = portOf(liked);
    const get = (...[url, options]: GetArguments) => rawRequest(port(), url, options);
    return new RoomBrowser(guestPlayer({ baseUrl: other.baseUrl, get }), slug, port);
  };
  const [ada, bob, late] = [member(owner), member(other), member(other)];
  const first = await ada.enter({ how: 'create' });
  const way = { how: 'join', code: first.code } as const;
  const second = await bob.enter(way);
  const isTold = new Promise<void>((resolve) => void second.on('state', () => resolve()));
  first.set('level', 7);
  await isTold;
  // The room's row has its members by then.
  await pause(writtenAfterMs);
  const back = Promise.all([first, second].map(timeBack));
  const killedAt = performance.now();
  isGone = true;
  await end(owner.child, 'SIGKILL');
  const backAt = await back;
  const third = await late.enter(way);
  if (third.get('level') !== 7) throw new Error(`the room has ${third.get('level')} of its state`);
  for (const room of [first, second, third]) room.leave();
  return (Math.max(...backAt) - killedAt) / 1_000;
}

/** Resolves to the `performance.now()` at which this player is in the room again. */
function timeBack(room: Room): Promise<number> {
  return new Promise((resolve) => {
    room.on('back', ({ you }) => {
      if (you) resolve(performance.now());
    });
  });
}

async function seed(data: string, environment: Record<string, string>): Promise<string> {
  await using opened = await openData(data, environment);
  return (await seedSpace(opened.platform, 'bench')).slug;
}
