import assert from 'node:assert/strict';
import type { ContentItem } from '@spaceport/contract/content';
import type { PlayingVisitor } from './played.ts';
import type { RawAnswer } from './raw-http.ts';

export type Made = ContentItem;

type Caller = Pick<PlayingVisitor, 'call'>;

/** Returns the players' calls for content in a space. */
export function makers(slug: () => string) {
  const at = (id: string, more = '', space = slug()) => `/api/player/content/${id}${more}?space=${space}`;
  const publish = (who: Caller, body: object): Promise<RawAnswer> =>
    who.call('POST', '/api/player/content', { space: slug(), kind: 'level', ...body });
  return {
    /** Returns the address of an item. */
    at,
    publish,
    async published(who: Caller, body: object): Promise<Made> {
      const answer = await publish(who, body);
      assert.equal(answer.status, 200, answer.text());
      return answer.json();
    },
    async list(
      who: Caller,
      query = 'kind=level',
      space = slug(),
    ): Promise<{ items: Made[]; next: string | null }> {
      const answer = await who.call('GET', `/api/player/content?space=${space}&${query}`);
      assert.equal(answer.status, 200, answer.text());
      return answer.json();
    },
    like: (who: Caller, id: string, on = true) => who.call(on ? 'PUT' : 'DELETE', at(id, '/like')),
    report: (who: Caller, id: string, body: object = {}) =>
      who.call('POST', `/api/player/content/${id}/report`, { space: slug(), reason: 'hate', ...body }),
  };
}
