import type { Platform } from '../../packages/server/src/platform/context.ts';
import { createSpace } from '../../packages/server/src/spaces/spaces.ts';

const first = [
  'Paper',
  'Tide',
  'Moon',
  'Lantern',
  'Copper',
  'Velvet',
  'Clockwork',
  'Harbour',
  'Glass',
  'Ember',
];
const second = [
  'Planets',
  'Keeper',
  'Hopper',
  'Garden',
  'Letters',
  'Engine',
  'Orchard',
  'Signals',
  'Atlas',
  'Drift',
];
const types = ['game', 'game', 'game', 'toy', 'art', 'tool', 'story', 'music', 'learning', 'app'] as const;
const perTransaction = 500;

/** A word in the title of one space in a thousand, including the first. */
export const rareWord = 'solstice';

/** Lists spaces of one account, with realistic titles and descriptions, and different numbers of plays. */
export async function seedGallery(
  { database, clock }: Platform,
  handle: string,
  count: number,
): Promise<void> {
  const owner = await database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
  for (let from = 0; from < count; from += perTransaction) {
    await database.transaction(async (tx) => {
      for (let index = from; index < Math.min(count, from + perTransaction); index += 1) {
        const title = `${at(first, index)} ${at(second, Math.floor(index / 10))}${index % 1_000 === 0 ? ` ${rareWord}` : ''}`;
        const fields = {
          title,
          space_type: at(types, index),
          devices: ['desktop' as const],
          description: `${title} is a small thing to play for an evening. ${'Move with the arrow keys, light every lamp on the way, and be home before the water comes. '.repeat(3)}`,
        };
        const kind = {
          owner_id: owner.id,
          hosted: 0 as const,
          claimed: 1 as const,
          url: `https://bench.example/${index}`,
        };
        const { id } = await createSpace({ ...tx, now: clock.now() - index * 60_000 }, fields, kind);
        await tx.db
          .updateTable('spaces')
          .set({ plays: (index * 7_919) % 100_003 })
          .where('id', '=', id)
          .execute();
      }
    });
  }
}
