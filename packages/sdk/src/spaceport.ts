import { sdkLimits } from '@spaceport/contract/sdk-protocol';
import type { Backend } from './backend.ts';
import type { Beginning } from './beginning.ts';
import type { Events } from './events.ts';
import { callJson } from './json-call.ts';
import { jsonCopyOf } from './json-or-bytes.ts';
import type { Reports } from './reports.ts';
import { createSaves } from './saves.ts';
import type { Together } from './together.ts';
import type { Spaceport } from './types.ts';

/** Returns the interface for the space's scripts, over a backend. */
export function createSpaceport(
  backend: Backend,
  events: Events,
  { reports, beginning, second }: { reports: Reports; beginning: Beginning; second: () => Promise<Together> },
): Spaceport {
  const { saves, forget } = createSaves(backend);
  events.on('player', forget);
  let isReadyTold = false;
  let loaded = -1;
  let isPlaying: boolean | undefined;

  const api: Spaceport = {
    protocol: 1,
    get env() {
      return backend.state.env;
    },
    get version() {
      return backend.state.version;
    },
    get muted() {
      return backend.state.muted;
    },
    get locale() {
      return backend.state.locale;
    },
    ready() {
      if (!isReadyTold) backend.tell('ready', []);
      isReadyTold = true;
      return Promise.race([
        backend.reached,
        new Promise<void>((resolve) => setTimeout(resolve, sdkLimits.readyMs)),
      ]);
    },
    // Games call these in every frame, so only changes are sent.
    loading(fraction) {
      const percent = Math.round(Math.min(1, Math.max(0, Number(fraction) || 0)) * 20) * 5;
      if (percent === loaded) return;
      loaded = percent;
      beginning.loading(percent / 100);
      backend.tell('loading', [percent / 100]);
    },
    playing(on) {
      if (isPlaying === !!on) return;
      isPlaying = !!on;
      beginning.playing(isPlaying);
      backend.tell('playing', [isPlaying]);
    },
    celebrate: () => backend.tell('celebrate', []),
    on: events.on,
    player: {
      get: () => ({ ...backend.state.player }),
      signIn: () => backend.call('player.signIn', []),
      token: () => backend.call('player.token', []),
    },
    async run(board) {
      const { run, seed } = await backend.call('run', [board]);
      return {
        seed,
        async submit(score, more) {
          const { meta, replay } = more ?? {};
          return backend.call('run.submit', [
            run,
            score,
            { ...(meta !== undefined && { meta: jsonCopyOf(meta) }), ...(replay && { replay }) },
          ]);
        },
      };
    },
    scores: {
      submit: async (board, score, meta) =>
        backend.call('scores.submit', meta === undefined ? [board, score] : [board, score, jsonCopyOf(meta)]),
      top: (board, page = {}) => backend.call('scores.top', [board, page]),
      around: (board, page = {}) => backend.call('scores.around', [board, page]),
    },
    stats: {
      add: (key, by = 1) => backend.call('stats.add', [key, by]),
      set: (key, value) => backend.call('stats.set', [key, value]),
    },
    achievements: {
      unlock: (key) => backend.call('achievements.unlock', [key]),
      list: () => backend.call('achievements.list', []),
    },
    saves,
    content: {
      publish: async (...given) => (await second()).content.publish(...given),
      list: async (...given) => (await second()).content.list(...given),
      get: async (...given) => (await second()).content.get(...given),
      like: async (...given) => (await second()).content.like(...given),
      remove: async (...given) => (await second()).content.remove(...given),
      report: async (...given) => (await second()).content.report(...given),
    },
    rooms: {
      create: async (...given) => (await second()).rooms.create(...given),
      join: async (...given) => (await second()).rooms.join(...given),
      quick: async (...given) => (await second()).rooms.quick(...given),
      invited: () => backend.state.invited ?? null,
      lobby: (on) => backend.tell('lobby', [!!on]),
      invite: (params) => backend.tell('invite', [params && `${new URLSearchParams(params)}`]),
    },
    error: (error) => reports.add('reported', error),
    call: (method, args) => callJson(api, backend, method, args),
  };
  return api;
}
