import {
  type ContentItem,
  likeContent,
  publishContent,
  readContent,
  readContentItem,
  removeContent,
  unlikeContent,
} from '@spaceport/contract/content';
import type { Json, Made, MadePage } from '@spaceport/contract/sdk-protocol';
import { wrong } from './arguments.ts';
import { type Play, stageClient } from './play.ts';

export interface StageContent {
  publish(kind: string, data: Json | undefined, title: Json | undefined): Promise<Made>;
  list(kind: string, query: Readonly<Record<string, unknown>>): Promise<MadePage>;
  get(id: string): Promise<Made>;
  like(id: string, on: boolean): Promise<{ liked: boolean; likes: number }>;
  remove(id: string): Promise<null>;
  /** Opens the page's report dialog for an item. */
  report(id: string): Promise<null>;
}

const orders = ['new', 'liked'] as const;

/** Returns the calls for content of the space's players. */
export function createStageContent({
  space,
  play,
  onReport,
}: {
  space: string;
  play: Play;
  onReport: (made: { id: string; title: string; kind: string }) => void;
}): StageContent {
  const query = { space };
  const read = async (id: string) =>
    toMade(
      await play.asPlayer((headers) =>
        stageClient.call(readContentItem, { params: { id }, query }, { headers }),
      ),
    );
  return {
    async publish(kind, data, title = '') {
      if (data === undefined) throw wrong('data', 'must be JSON');
      if (typeof title !== 'string') throw wrong('title', 'must be a text');
      const body = { space, kind, data, title };
      return toMade(
        await play.asPlayer((headers) => stageClient.call(publishContent, { body }, { headers })),
      );
    },
    async list(kind, { by, mine, cursor, limit }) {
      const sort = by === undefined ? 'new' : orders.find((order) => order === by);
      if (sort === undefined) throw wrong('by', `must be one of ${orders.join(', ')}`);
      if (cursor != null && typeof cursor !== 'string') throw wrong('cursor', 'must be a text');
      if (limit !== undefined && typeof limit !== 'number') throw wrong('limit', 'must be a number');
      const asked = {
        space,
        kind,
        sort,
        ...(mine === true && { mine: 'true' as const }),
        ...(cursor != null && { cursor }),
        ...(limit !== undefined && { limit }),
      };
      const { items, next } = await play.asPlayer((headers) =>
        stageClient.call(readContent, { query: asked }, { headers }),
      );
      return { items: items.map(toMade), next };
    },
    get: read,
    async like(id, on) {
      const which = { params: { id }, query };
      return play.asPlayer((headers) =>
        stageClient.call(on ? likeContent : unlikeContent, which, { headers }),
      );
    },
    async remove(id) {
      const which = { params: { id }, query };
      await play.asPlayer((headers) => stageClient.call(removeContent, which, { headers }));
      return null;
    },
    async report(id) {
      const { title, kind } = await read(id);
      onReport({ id, title, kind });
      return null;
    },
  };
}

function toMade({ created_at: at, data, ...item }: ContentItem): Made {
  // The data comes from a JSON body.
  return { ...item, at, data: data as Json };
}
