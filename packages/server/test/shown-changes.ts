import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { sessionCookieName } from '../src/accounts/sign-in/session-token.ts';
import { type Arena, makeArena, makePlayers } from './arena.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import type { TestService } from './service.ts';
import { timeless } from './timeless.ts';
import { signUp } from './visitor.ts';

/** Changes that hide most content until they are undone. */
export const covering: ReadonlySet<string> = new Set([
  'out of the list',
  'boards hidden',
  'offline',
  'hidden',
  'held',
  'deleted',
  'a board deleted',
  'a ban from the service',
  'its creator banned',
]);

/** A live, played space, with changes to its public content on any of several nodes. */
export interface ShownStage {
  readonly arena: Arena;
  /** Addresses whose answers are the same for everyone. */
  readonly reads: readonly string[];
  /** Changes by name. Every second call undoes the change, if possible. `pick` chooses a player. */
  readonly changes: Readonly<Record<string, Change>>;
  /** Reads an address as anyone does. */
  read(node: number, path: string): Promise<Seen>;
  /** Reads an address past the caches. */
  readAnew(node: number, path: string): Promise<Seen>;
}

type Change = (node: number, pick: number) => Promise<RawAnswer>;

/** The status and body of an answer, without the time at which it was made. */
export type Seen = string;

const boards = [
  { key: 'points', periods: ['all' as const, 'day' as const] },
  { key: 'coins', keep: 'sum' as const },
];

/** `ports` are those of the nodes, the first of them the service's own. */
export async function makeShownStage(
  service: TestService,
  ports: readonly number[] = [service.port],
): Promise<ShownStage> {
  const arena = await makeArena(service, boards);
  const { slug, creator, secret } = arena;
  await arena.putAchievements({ achievements: [{ key: 'founder', title: 'Founder' }] });
  const operator = await service.creator(undefined, { operator: true });
  const players = await makePlayers(service, 3);
  const adaHandle = `ada_${randomBytes(4).toString('hex')}`;
  const ada = await signUp(service, { handle: adaHandle });
  const everyone = [...players, adaHandle];
  for (const [index, player] of everyone.entries()) await arena.score('points', player, index);

  const at = (node: number) => ports[node % ports.length] ?? service.port;
  const send = (node: number, path: string, options: Parameters<typeof rawRequest>[2] = {}) =>
    rawRequest(at(node), new URL(path, service.baseUrl).href, options);
  const call = (node: number, token: string, method: string, path: string, body?: unknown) =>
    send(node, path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** Makes a call as the pages of the account make it, to a node of choice, unlike `ada.call`. */
  const asAda = (node: number, path: string, body: unknown) =>
    send(node, path, {
      method: 'PATCH',
      headers: {
        cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const own = (node: number, method: string, path = '', body?: unknown) =>
    call(node, creator.token, method, `/api/spaces/${slug}${path}`, body);
  const act = (node: number, action: string) =>
    call(node, operator.token, 'POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'test' });
  const of = (pick: number) => everyone[pick % everyone.length] ?? '';
  let step = 0;
  const inTurns = (first: Change, second: Change): Change => {
    let next = 0;
    return (node, pick) => (next++ % 2 === 0 ? first : second)(node, pick);
  };
  const judge = (node: number, handle: string | undefined, action: string) =>
    call(node, operator.token, 'POST', `/api/operator/accounts/${handle}/${action}`, { reason: 'test' });
  const score =
    (board: string): Change =>
    (node, pick) =>
      call(node, secret, 'POST', '/api/v1/scores', { board, player: of(pick), score: (step++ * 7) % 1_000 });

  const cover = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const changes: ShownStage['changes'] = {
    'an edit': (node) => own(node, 'PATCH', '', { title: `Title ${step++}` }),
    'out of the list': inTurns(
      (node) => own(node, 'PATCH', '', { page: { unlisted: true } }),
      (node) => own(node, 'PATCH', '', { page: { unlisted: false } }),
    ),
    'boards hidden': inTurns(
      (node) => own(node, 'PATCH', '', { page: { show_boards: false } }),
      (node) => own(node, 'PATCH', '', { page: { show_boards: true } }),
    ),
    offline: inTurns(
      (node) => own(node, 'POST', '/offline'),
      (node) => own(node, 'POST', '/online'),
    ),
    hidden: inTurns(
      (node) => act(node, 'hide'),
      (node) => act(node, 'restore'),
    ),
    held: inTurns(
      (node) => act(node, 'hold'),
      (node) => act(node, 'release'),
    ),
    deleted: inTurns(
      (node) => own(node, 'DELETE'),
      (node) => own(node, 'POST', '/restore'),
    ),
    'a cover': inTurns(
      (node) =>
        send(node, `/api/spaces/${slug}/cover`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${creator.token}`, 'content-type': 'image/png' },
          body: cover,
        }),
      (node) => own(node, 'DELETE', '/cover'),
    ),
    'a score': score('points'),
    'a score that adds up': score('coins'),
    'an unlock': (node, pick) =>
      call(node, secret, 'POST', '/api/v1/achievements', { achievement: 'founder', player: of(pick) }),
    'scores deleted': (node, pick) => own(node, 'DELETE', '/scores', { player: of(pick), dry_run: false }),
    'a ban from the space': inTurns(
      (node) => own(node, 'POST', '/bans', { handle: players[0] }),
      (node) => own(node, 'DELETE', '/bans', { handle: players[0] }),
    ),
    'a board’s title': (node) =>
      own(node, 'PUT', '/boards', { boards: [{ ...boards[0], title: `Points ${step++}` }] }),
    'a board’s order': inTurns(
      (node) => own(node, 'PUT', '/boards', { boards: [{ ...boards[0], sort: 'asc' }] }),
      (node) => own(node, 'PUT', '/boards', { boards: [boards[0]] }),
    ),
    'a board deleted': inTurns(
      (node) => own(node, 'DELETE', '/boards/coins'),
      (node) => own(node, 'PUT', '/boards', { boards: [boards[1]] }),
    ),
    'an achievement’s title': (node) =>
      own(node, 'PUT', '/achievements', { achievements: [{ key: 'founder', title: `First ${step++}` }] }),
    'a name': (node) => asAda(node, '/api/account', { name: `Ada ${step++}` }),
    'plays kept to oneself': inTurns(
      (node) => asAda(node, '/api/player/me', { public: false }),
      (node) => asAda(node, '/api/player/me', { public: true }),
    ),
    'a ban from the service': inTurns(
      (node) => judge(node, players[1], 'ban'),
      (node) => judge(node, players[1], 'unban'),
    ),
    'its creator banned': inTurns(
      (node) => judge(node, creator.handle, 'ban'),
      (node) => judge(node, creator.handle, 'unban'),
    ),
  };

  const page = encodeURIComponent(`${service.baseUrl}/s/${slug}`);
  return {
    arena,
    changes,
    reads: [
      '/',
      '/?sort=played',
      '/api/gallery',
      '/api/gallery?limit=1',
      '/?q=title',
      '/api/gallery?q=title',
      `/api/gallery/${slug}`,
      `/api/gallery/${slug}/boards/points/entries`,
      `/api/gallery/${slug}/boards/points/entries?period=day&limit=2`,
      `/api/gallery/${slug}/boards/coins/entries`,
      `/api/gallery/${slug}/players/${adaHandle}`,
      `/oembed?url=${page}`,
      `/s/${slug}`,
      `/@${creator.handle}`,
      `/@${adaHandle}`,
      `/@${players[0]}`,
    ],
    read: async (node, path) => seen(await send(node, path)),
    readAnew: async (node, path) =>
      seen(
        await send(node, path, { headers: { cookie: `${sessionCookieName(service.baseUrl)}=of-nobody` } }),
      ),
  };
}

function seen({ status, text }: RawAnswer): Seen {
  return `${status} ${timeless(text()).replace(/request \S+/u, '')}`;
}
