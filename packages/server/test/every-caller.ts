import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { makeArena, makePlayers } from './arena.ts';
import { fileEntries, listing, smallGame } from './files.ts';
import type { Known } from './from-schema.ts';
import { startService, type TestService } from './service.ts';
import { signUp } from './visitor.ts';

/** A service with objects of every kind, and a permitted caller for each operation. */
export interface EveryCaller {
  readonly service: TestService;
  /** Values of parameters that name existing objects. */
  readonly known: Known;
  /** Returns the headers of a permitted call of an operation. */
  headersOf(operation: Operation): Record<string, string>;
}

export async function openForAll(): Promise<EveryCaller> {
  const service = await startService();
  const arena = await makeArena(service, [
    { key: 'points' },
    { key: 'laps', metric: 'time', periods: ['day'] },
  ]);
  const players = await makePlayers(service, 3);
  const operator = await service.creator(undefined, { operator: true });
  const { creator, slug } = arena;
  await creator.call('PUT', `/api/spaces/${slug}/achievements`, {
    stats: [{ key: 'jumps', op: 'add' }],
    achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } }],
  });
  const [player = ''] = players;
  const { submission } = await arena.score('points', player, 5);
  const { versions } = (await creator.call('GET', `/api/v1/hosting/spaces/${slug}/versions`)).json();
  const unlisted = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
    fields: listing,
    files: fileEntries(smallGame),
  });
  const { claimToken, version, space } = unlisted.json();
  const visitor = await signUp(service, { handle: 'fuzzy_one' });
  const made = { space: slug, kind: 'level', data: 1 };
  const item = (await visitor.call('POST', '/api/player/content', made)).json();
  const known: Known = {
    slug: [slug, space.slug],
    space: [slug, space.slug],
    id: [versions[0].id, version.id, submission.id, item.id],
    submission: [submission.id],
    board: ['points', 'laps'],
    key: ['points', 'laps', 'jumps', 'jumper'],
    stat: ['jumps'],
    achievement: ['jumper'],
    player: [...players, creator.handle],
    handle: [...players, creator.handle],
    claim: [claimToken],
    number: [1, 2],
    version: [1],
  };
  const credentials: Partial<Record<Operation['credential'], Record<string, string>>> = {
    token: { authorization: `Bearer ${creator.token}` },
    token_or_none: { authorization: `Bearer ${creator.token}` },
    token_or_claim: { authorization: `Bearer ${creator.token}` },
    claim: { 'x-service-claim': claimToken },
    operator: { authorization: `Bearer ${operator.token}` },
    secret: { authorization: `Bearer ${arena.secret}` },
  };

  function headersOf({ credential }: Operation): Record<string, string> {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { 'sec-fetch-site': 'same-origin' };
    const signedIn = credential === 'session' || credential === 'player';
    return credentials[credential] ?? (signedIn ? { ...own, cookie } : own);
  }

  return { service, known, headersOf };
}

const deletes = new Set(['deleteSpace', 'deleteVersion', 'deleteAccount']);
const turnOf = ({ id, tag }: Operation) => (deletes.has(id) ? 2 : Number(tag === 'Operators'));
/**
 * All operations in order: operators' after the others and deletions last, because they remove the others'
 * objects.
 */
export const inTurn: readonly Operation[] = operations.toSorted(
  (left, right) => turnOf(left) - turnOf(right),
);

/** Returns an existing value for each parameter. */
export function firstOf(values: Known): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));
}

/** Returns the path with the generated parameters and query. */
export function addressOf(path: string, { params, query }: { params: unknown; query: unknown }): string {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(fieldOf(params, name) ?? '~')).replaceAll('.', '%2E'),
  );
  const asked = new URLSearchParams(
    Object.entries(query instanceof Object ? query : {}).map(([name, value]) => [name, String(value)]),
  );
  return `${filled}?${asked}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined;
}
