import type { RawAnswer } from './raw-http.ts';
import type { Persona, TestService } from './service.ts';

export interface ShownBoard {
  readonly key: string;
  readonly title: string;
  readonly source: string;
}

/** Returns `count` declarations with different keys. */
export function many(count: number, prefix = 'k'): { key: string }[] {
  return Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}` }));
}

/** Returns calls that read and change the declarations of a creator's spaces. */
export function declaredOf(service: TestService, creator: Pick<Persona, 'call'>) {
  const call = (method: string, path: string, body?: unknown): Promise<RawAnswer> =>
    creator.call(method, `/api/spaces/${path}`, body);
  const boards = async (slug: string): Promise<ShownBoard[]> =>
    (await call('GET', `${slug}/boards`)).json().boards;
  return {
    boards,
    /** Returns `key:source` of each board. */
    sources: async (slug: string) => (await boards(slug)).map(({ key, source }) => `${key}:${source}`),
    achievements: async (
      slug: string,
    ): Promise<{ stats: { key: string }[]; achievements: { key: string }[] }> =>
      (await call('GET', `${slug}/achievements`)).json(),
    put: (slug: string, declared: object[]) => call('PUT', `${slug}/boards`, { boards: declared }),
    putAchievements: (slug: string, declared: object) => call('PUT', `${slug}/achievements`, declared),
    drop: (slug: string, key: string) => call('DELETE', `${slug}/boards/${key}`),
    dropStat: (slug: string, key: string) => call('DELETE', `${slug}/stats/${key}`),
    /** Reads the keys in the sandbox from the database, because no answer shows them. */
    async sandbox(slug: string) {
      const keys = async (table: 'boards' | 'stats' | 'achievements') => {
        const rows = await service.service.platform.database.db
          .selectFrom(table)
          .innerJoin('spaces as space', 'space.id', `${table}.space_id`)
          .select(`${table}.key`)
          .where('space.slug', '=', slug)
          .where(`${table}.env`, '=', 'sandbox')
          .orderBy(`${table}.position`)
          .execute();
        return rows.map(({ key }) => key);
      };
      return {
        boards: await keys('boards'),
        stats: await keys('stats'),
        achievements: await keys('achievements'),
      };
    },
  };
}
