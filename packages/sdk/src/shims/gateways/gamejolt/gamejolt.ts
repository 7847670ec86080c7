import { gatewayOf } from '@spaceport/contract/portals';
import type { ShimHost } from '../../shim-host.ts';
import type { Answering, Called } from '../answer-calls.ts';
import type { GameJoltKeys } from '../keys.ts';
import { dataStore } from './data-store.ts';
import type { Endpoint, Fields } from './endpoints.ts';
import { Failure, failures } from './failure.ts';
import { type Answer, inFormat } from './formats.ts';
import { scores } from './scores.ts';
import { time } from './time.ts';
import { trophies } from './trophies.ts';
import { createUsers } from './users.ts';

const mostRequests = 50;

/** The Game API of Game Jolt, built on `Spaceport`. `documented.ts` has the answer of each endpoint. */
export function createGameJolt(host: ShimHost, keys: GameJoltKeys) {
  const users = createUsers(host);
  const endpoints: Readonly<Record<string, Endpoint>> = {
    ...users.endpoints,
    ...dataStore(host, users),
    ...scores(host, keys, users),
    ...trophies(host, keys, users),
    time,
    batch,
  };

  async function run(path: string, fields: Fields): Promise<Answer> {
    try {
      if (!fields.get('signature')) throw new Failure(failures.signature);
      if (fields.get('game_id') !== keys.game_id) throw new Failure(failures.game);
      const endpoint = endpoints[path];
      if (!endpoint) throw new Failure(failures.unknown);
      return { success: true, ...(await endpoint(fields)) };
    } catch (error) {
      const message = error instanceof Error ? error.message : failures.unknown;
      return { success: false, message };
    }
  }

  async function batch(fields: Fields): Promise<object> {
    const requests = fields.getAll('requests[]').slice(0, mostRequests);
    const one = (request: string) => {
      const { pathname, searchParams } = new URL(request.trim(), 'https://batch.invalid/');
      return run(endpointIn(pathname), searchParams);
    };
    if (fields.get('parallel') === 'true') return { responses: await Promise.all(requests.map(one)) };
    const responses: Answer[] = [];
    for (const request of requests) {
      const response = await one(request);
      responses.push(response);
      if (!response.success && fields.get('break_on_error') === 'true') return { success: false, responses };
    }
    return { responses };
  }

  const answering: Answering = {
    isAsked: (address) => gatewayOf(address) === 'gamejolt',
    async answer({ url, fields, text }: Called) {
      await host.spaceport.ready();
      const all = new URLSearchParams([...url.searchParams, ...fields, ...jsonFields(text)]);
      const path = endpointIn(url.pathname.replace(/^\/api\/game\/v1(?:_\d)?/u, ''));
      return inFormat(await run(path, all), all.get('format'));
    },
    busy: inFormat({ success: false, message: failures.unknown }, 'json'),
  };
  return { answering, endpoints, user: users.user };
}

/** Returns the endpoint of a path: `/scores/add/` is `scores/add`, and `/scores/fetch/` is `scores`. */
function endpointIn(pathname: string): string {
  return pathname.replace(/^\/+|\/+$/gu, '').replace(/\/fetch$/u, '');
}

/** Returns the fields of a body that is JSON. */
function jsonFields(text: string): [string, string][] {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return [];
    return Object.entries(found).flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((one): [string, string] => [`${name}[]`, String(one)])
        : [[name, String(value)] as [string, string]],
    );
  } catch {
    return [];
  }
}
