import { sql } from 'kysely';
import type { Platform } from '../../packages/server/src/platform/context.ts';
import type { AccountId } from '../../packages/server/src/platform/db/ids.ts';
import { toJson } from '../../packages/server/src/platform/db/json.ts';
import { newId } from '../../packages/server/src/platform/secrets/id.ts';
import { indexSpaces } from '../../packages/server/src/search/search.ts';
import { createSpace, type SpaceRow } from '../../packages/server/src/spaces/spaces.ts';

const perTransaction = 200;
const types = ['game', 'game', 'game', 'toy', 'art', 'tool', 'story', 'music', 'learning', 'app'] as const;
const openings = 'b c d f g h k l m n p r s t v w br cl dr fl gr pl sh st tr'.split(' ');
const middles = 'a e i o u ai ea oo ou'.split(' ');
const endings = ['', '', 'n', 'r', 'l', 'st', 'nd', 'mp', 'ck', 'sh'];

/** Returns a generator of numbers from 0 to 1, always the same for a seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Words with the frequencies of a language: a few are common, most are rare. */
interface Language {
  readonly number: () => number;
  word(): string;
  words(count: number): string;
}

function languageOf(seed: number): Language {
  const number = seededNumbers(seed);
  const pick = (list: readonly string[]) => list[Math.floor(number() * list.length)] ?? '';
  const syllable = () => `${pick(openings)}${pick(middles)}${pick(endings)}`;
  const vocabulary = Array.from({ length: 12_000 }, () => syllable() + (number() < 0.8 ? syllable() : ''));
  const word = () => vocabulary[Math.floor(vocabulary.length ** number()) - 1] ?? 'moon';
  return { number, word, words: (count) => Array.from({ length: count }, word).join(' ') };
}

/**
 * Makes a listed space by the service's own code. The others are copies of its row, written many at a time.
 */
async function firstSpace({ database }: Platform, owner: AccountId): Promise<SpaceRow> {
  const fields = { title: 'Moon', space_type: 'game' as const, devices: ['desktop' as const] };
  const url = 'https://bench.example/0';
  const kind = { owner_id: owner, hosted: 0 as const, claimed: 1 as const, url };
  return database.transaction((tx) => createSpace(tx, fields, kind));
}

/** The texts of a space that people search for. */
export interface Sample {
  readonly title: string;
  readonly tags: readonly string[];
  readonly description: string;
}

const mostSamples = 10_000;

/** Lists spaces of one account, always the same ones. @returns the texts of some of them */
export async function seedSearch(platform: Platform, handle: string, count: number): Promise<Sample[]> {
  const { database, clock } = platform;
  const owner = await database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const { number, words } = languageOf(1);
  const samples: Sample[] = [];
  const tags = Array.from({ length: 200 }, (_, index) => `${words(1)}-${index}`);
  const template = await firstSpace(platform, owner.id);
  for (let from = 1; from < count; from += perTransaction) {
    // The plans of PostgreSQL's named statements were made for empty tables, and read all of them for each row.
    if (database.engine === 'postgres' && Math.floor(from / perTransaction) % 100 === 5)
      await sql`analyze`.execute(database.db);
    const rows = Array.from({ length: Math.min(perTransaction, count - from) }, (_, step) => {
      const index = from + step;
      const title = words(1 + Math.floor(number() * 3));
      const own = Array.from(
        { length: Math.floor(number() * 4) },
        () => tags[Math.floor(200 ** number()) - 1] ?? '',
      ).filter((tag) => tag !== '');
      const description = words(30);
      if (index % Math.ceil(count / mostSamples) === 0) samples.push({ title, tags: own, description });
      return {
        ...template,
        id: newId('spc'),
        slug: `space-${index}`,
        title,
        space_type: types[index % types.length] ?? 'game',
        tags: toJson([...new Set(own)]),
        description,
        url: `https://bench.example/${index}`,
        plays: (index * 7_919) % 100_003,
        created_at: clock.now() - index * 60_000,
      };
    });
    await persistently(() =>
      database.transaction(async (tx) => {
        await tx.db.insertInto('spaces').values(rows).execute();
        await indexSpaces(
          tx,
          rows.map(({ id }) => id),
        );
      }),
    );
  }
  return samples;
}

const attempts = 5;

/** Tries again: on a busy core, PostgreSQL may count as out of reach while it writes. */
async function persistently(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await write();
    } catch (error) {
      if (attempt === attempts) throw error;
    }
}
