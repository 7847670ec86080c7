import { neutralPicture } from '../../picture.ts';
import type { ShimHost } from '../../shim-host.ts';
import type { NewgroundsKeys } from '../keys.ts';
import { cloudSave } from './cloud-save.ts';
import type { Component } from './component.ts';
import { Refusal } from './refusal.ts';
import { scoreBoards } from './score-boards.ts';
import type { Session } from './session.ts';

/** Returns every component by its name. `documented.ts` has the answer of each. */
export function createComponents(
  host: ShimHost,
  keys: NewgroundsKeys,
  session: Session,
): Readonly<Record<string, Component>> {
  const { spaceport, frame } = host;
  const home = () => ({ url: frame.location.origin });
  const now = () => new Date();
  const medals = async () => {
    const unlockable = new Map((await spaceport.achievements.list()).map((one) => [one.key, one]));
    const isUser = session.user() !== null;
    return Object.entries(keys.medals ?? {}).flatMap(([id, key]) => {
      const one = unlockable.get(key);
      return one ? [medal(Number(id), one.title, isUser && one.unlockedAt !== null)] : [];
    });
  };
  return {
    'App.checkSession': () => session.answer(),
    'App.endSession': () => {
      session.end();
      return {};
    },
    'App.startSession': () => {
      session.start();
      return session.answer();
    },
    'App.getCurrentVersion': ({ version }) => ({
      current_version: typeof version === 'string' ? version : '0.0.0',
      client_deprecated: false,
    }),
    'App.getHostLicense': () => ({ host_approved: true }),
    'App.logView': () => ({}),
    'Event.logEvent': ({ event_name }) => ({ event_name }),
    'Gateway.getDatetime': () => ({
      datetime: now().toISOString(),
      timestamp: Math.floor(now().getTime() / 1_000),
    }),
    'Gateway.getVersion': () => ({ version: '3.0.0' }),
    'Gateway.ping': () => ({ pong: 'pong' }),
    'Loader.loadAuthorUrl': home,
    'Loader.loadMoreGames': home,
    'Loader.loadNewgrounds': home,
    'Loader.loadOfficialUrl': home,
    'Loader.loadReferral': home,
    'Medal.getList': async () => ({ medals: await medals() }),
    'Medal.getMedalScore': () => {
      session.mustBeUser();
      return { medal_score: 0 };
    },
    'Medal.unlock': async ({ id }) => {
      session.mustBeUser();
      const key = keys.medals?.[String(id)];
      if (key === undefined) throw new Refusal('invalidMedal', 'No achievement is named for this medal.');
      await spaceport.achievements.unlock(key);
      const found = (await medals()).find((one) => one.id === Number(id));
      return { medal: found ?? medal(Number(id), key, true), medal_score: 0 };
    },
    ...scoreBoards(host, keys, session),
    ...cloudSave(host, session),
  };
}

/** Returns a medal as the gateway answers it. Medals have no value here. */
function medal(id: number, name: string, unlocked: boolean) {
  return {
    id,
    name,
    description: '',
    icon: neutralPicture,
    value: 0,
    difficulty: 1,
    secret: false,
    unlocked,
  };
}
