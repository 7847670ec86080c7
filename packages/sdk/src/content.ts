import type { Calls, Json, Made } from '@spaceport/contract/sdk-protocol';
import type { Backend } from './backend.ts';
import { isFault } from './faults.ts';
import { jsonCopyOf } from './json-or-bytes.ts';
import { createKeptContent } from './kept-content.ts';
import { openStore } from './store.ts';
import type { Spaceport } from './types.ts';

export type PublishedContent = Spaceport['content'];
type Method = Extract<keyof Calls, `content.${string}`>;

/** The content calls: answered by the service, or by this browser if no service is behind the space. */
export function createContent(backend: Pick<Backend, 'call' | 'state'>): PublishedContent {
  const kept = createKeptContent(
    openStore(() => localStorage),
    () => backend.state,
  );
  let isAlone = false;

  /** The stand-in for the service does not know content, so in that case it is kept here. */
  async function call<M extends Method>(method: M, ...args: Calls[M]['args']): Promise<Calls[M]['answer']> {
    if (!isAlone)
      try {
        return await backend.call(method, args);
      } catch (error) {
        if (!isFault(error) || error.code !== 'unsupported') throw error;
        isAlone = true;
      }
    return kept[method](...args);
  }

  return {
    publish: async (kind: string, data: Json, title = '') =>
      call('content.publish', kind, jsonCopyOf(data), title) as Promise<Made>,
    list: (kind, options = {}) =>
      call('content.list', kind, typeof options === 'string' ? { cursor: options } : options),
    get: (id) => call('content.get', id),
    like: (id, on = true) => call('content.like', id, on !== false),
    async remove(id) {
      await call('content.remove', id);
    },
    async report(id) {
      await call('content.report', id);
    },
  };
}
