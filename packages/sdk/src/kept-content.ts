import type { Calls, Made, MadePage } from '@spaceport/contract/sdk-protocol';
import type { State } from './backend.ts';
import { fault } from './faults.ts';
import { checkLimit, keyOf, wrong } from './given.ts';
import { bytesOf, isBytes } from './json-or-bytes.ts';
import type { Store } from './store.ts';

const mostItems = 100;
const mostTitle = 80;
const mostInPage = 50;
const mostBytes = 64 * 1024;

type Answers = {
  [M in Extract<keyof Calls, `content.${string}`>]: (
    ...args: Calls[M]['args']
  ) => Promise<Calls[M]['answer']>;
};

/** The content of this browser's one player, for a space without a service. Nobody else sees it. */
export function createKeptContent(store: Store, state: () => State): Answers {
  const all = () => store.get<Made[]>('content', []);
  const keep = (items: Made[]) => {
    try {
      store.set('content', items);
    } catch {
      throw fault('too_large', 'the browser has no room for it');
    }
  };
  /**
   * On the creator's own machine, calls that need an account behave as on the service; alone there are no
   * accounts.
   */
  const mustBePublic = () => {
    if (state().env === 'local' && state().player.guest)
      throw fault('sign_in_required', 'only players with an account may');
  };
  const find = (id: string): Made => {
    const item = all().find((each) => each.id === id);
    if (!item) throw fault('not_found', 'there is no such thing');
    return item;
  };
  return {
    async 'content.publish'(kind, data, title) {
      keyOf(kind, 'kind');
      if (isBytes(data)) throw wrong('data', 'must be JSON');
      if (typeof title !== 'string' || [...title].length > mostTitle)
        throw wrong('title', `must be a text of at most ${mostTitle} characters`);
      mustBePublic();
      if (bytesOf(data) > mostBytes) throw fault('too_large', 'it has more than 64 KiB');
      const items = all();
      const same = items.find(
        (each) => each.kind === kind && each.title === title && isSame(each.data, data),
      );
      if (same) return same;
      if (items.length >= mostItems) throw fault('full', `there are ${mostItems} already`);
      const item: Made = {
        id: `local_${Date.now()}_${items.length}`,
        kind,
        title,
        data,
        likes: 0,
        liked: false,
        yours: true,
        handle: state().player.handle ?? 'you',
        at: new Date().toISOString(),
      };
      keep([item, ...items]);
      return item;
    },
    async 'content.list'(kind, query) {
      const { by = 'new', mine, limit = 20, cursor } = query ?? {};
      keyOf(kind, 'kind');
      if (by !== 'new' && by !== 'liked') throw wrong('by', 'must be one of new, liked');
      checkLimit(limit, mostInPage);
      const from = Number(cursor ?? 0);
      if (!Number.isInteger(from)) throw wrong('cursor', 'must be the `next` of a page');
      if (mine) mustBePublic();
      const items = all().filter((each) => each.kind === kind);
      if (by === 'liked') items.sort((one, other) => other.likes - one.likes);
      const page: MadePage = { items: items.slice(from, from + limit), next: null };
      return from + limit < items.length ? { ...page, next: String(from + limit) } : page;
    },
    'content.get': async (id) => find(id),
    async 'content.like'(id, on) {
      mustBePublic();
      const liked = { ...find(id), liked: on, likes: on ? 1 : 0 };
      keep(all().map((each) => (each.id === id ? liked : each)));
      return { liked: on, likes: liked.likes };
    },
    async 'content.remove'(id) {
      find(id);
      keep(all().filter((each) => each.id !== id));
      return null;
    },
    async 'content.report'() {
      throw fault('unsupported', 'a report needs the service: open the space on its page there');
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
