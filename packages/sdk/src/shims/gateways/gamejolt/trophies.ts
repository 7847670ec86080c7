import { neutralPicture } from '../../picture.ts';
import type { ShimHost } from '../../shim-host.ts';
import type { GameJoltKeys } from '../keys.ts';
import type { Endpoint, Fields } from './endpoints.ts';
import { Failure } from './failure.ts';
import type { Users } from './users.ts';

const notOurs = 'The trophy returned does not belong to this game.';

/** `trophies/*`: the achievements that the creator named for the portal's numbers. */
export function trophies(
  { spaceport }: ShimHost,
  { trophies: keys = {} }: GameJoltKeys,
  users: Users,
): Readonly<Record<string, Endpoint>> {
  async function all() {
    const unlockable = new Map((await spaceport.achievements.list()).map((one) => [one.key, one]));
    return Object.entries(keys).flatMap(([id, key]) => {
      const one = unlockable.get(key);
      return one ? [{ id, title: one.title, achieved: one.unlockedAt ?? false }] : [];
    });
  }
  function keyOf(fields: Fields): string {
    const key = keys[fields.get('trophy_id') ?? ''];
    if (key === undefined) throw new Failure(notOurs);
    return key;
  }
  return {
    async trophies(fields) {
      users.mustBe(fields);
      const achieved = fields.get('achieved');
      const ids = fields.get('trophy_id')?.split(',');
      const found = (await all()).filter(
        (one) =>
          (!ids || ids.includes(one.id)) && (!achieved || (one.achieved !== false) === (achieved === 'true')),
      );
      if (ids && found.length === 0 && !achieved) throw new Failure(notOurs);
      return {
        trophies: found.map(({ achieved: at, ...one }) => ({
          ...one,
          description: '',
          difficulty: 'Bronze',
          image_url: neutralPicture,
          achieved: at,
        })),
      };
    },
    async 'trophies/add-achieved'(fields) {
      users.mustBe(fields);
      const { first } = await spaceport.achievements.unlock(keyOf(fields));
      if (!first) throw new Failure('The user already has this trophy.');
      return {};
    },
    'trophies/remove-achieved'(fields) {
      users.mustBe(fields);
      keyOf(fields);
      throw new Failure('What a player has achieved stays.');
    },
  };
}
