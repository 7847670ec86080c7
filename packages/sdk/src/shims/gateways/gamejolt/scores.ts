import type { Entry } from '../../../types.ts';
import type { ShimHost } from '../../shim-host.ts';
import type { GameJoltKeys } from '../keys.ts';
import type { Endpoint, Fields } from './endpoints.ts';
import { Failure } from './failure.ts';
import type { Users } from './users.ts';

const mostEntries = 100;
const usualEntries = 10;
const noSort = 'You must enter a sort value for this score, and it must be numeric.';

/**
 * `scores/*`: the boards that the creator named for the portal's tables; without a table, the first client
 * board.
 */
export function scores(
  { spaceport, served }: ShimHost,
  { tables = {} }: GameJoltKeys,
  users: Users,
): Readonly<Record<string, Endpoint>> {
  function boardOf(fields: Fields): string {
    const table = fields.get('table_id');
    const board = table ? tables[table] : served.board;
    if (!board)
      throw new Failure(
        'The high score table ID you passed in does not belong to this game or has been deleted.',
      );
    return board;
  }
  return {
    async scores(fields) {
      const board = boardOf(fields);
      const [guest, name] = [fields.get('guest'), fields.get('username')];
      const [better, worse] = [numberOf(fields, 'better_than'), numberOf(fields, 'worse_than')];
      if (guest && name) throw new Failure("'username' and 'guest' are mutually exclusive");
      if (better !== null && worse !== null)
        throw new Failure("'better-than' and 'worse-than' are mutually exclusive");
      if (guest) return { scores: [] };
      const limit = Math.min(mostEntries, Math.max(1, numberOf(fields, 'limit') ?? usualEntries));
      if (name) users.mustBe(fields);
      const isPart = better !== null || worse !== null;
      const found = name
        ? (await spaceport.scores.around(board)).filter(({ you }) => you)
        : await spaceport.scores.top(board, { limit: isPart ? mostEntries : limit });
      const isBefore = orderOf(found);
      const part = found.filter(
        ({ score }) =>
          (better === null || isBefore(score, better)) && (worse === null || isBefore(worse, score)),
      );
      return { scores: part.slice(0, limit).map(described) };
    },
    async 'scores/add'(fields) {
      const board = boardOf(fields);
      const sort = numberOf(fields, 'sort');
      if (!fields.get('score')) throw new Failure('You must enter a score.');
      if (sort === null) throw new Failure(noSort);
      if (!fields.get('username'))
        throw new Failure(
          fields.get('guest')
            ? 'Guests are not allowed to enter scores for this game.'
            : 'You must pass in a user/guest for this score.',
        );
      users.mustBe(fields);
      await spaceport.scores.submit(board, sort);
      return {};
    },
    async 'scores/get-rank'(fields) {
      const board = boardOf(fields);
      const sort = numberOf(fields, 'sort');
      if (sort === null) throw new Failure('Could not get a rank for the parameters you entered.');
      const found = await spaceport.scores.top(board, { limit: mostEntries });
      const isBefore = orderOf(found);
      return { rank: found.filter(({ score }) => isBefore(score, sort)).length + 1 };
    },
    'scores/tables': () => ({
      tables: Object.entries(tables).map(([id, name]) => ({
        id,
        name,
        description: '',
        primary: name === served.board ? 1 : 0,
      })),
    }),
  };
}

/** Returns whether a score ranks before another, judged by the order of a ranking's entries. */
function orderOf(entries: readonly Entry[]): (one: number, other: number) => boolean {
  const isAscending = (entries[0]?.score ?? 0) < (entries[entries.length - 1]?.score ?? 0);
  return (one, other) => (isAscending ? one < other : one > other);
}

function described({ handle, score }: Entry) {
  return {
    score,
    sort: score,
    extra_data: '',
    user: handle,
    user_id: '',
    guest: '',
    stored: '',
    stored_timestamp: '',
  };
}

function numberOf(fields: Fields, name: string): number | null {
  const text = fields.get(name) ?? '';
  const found = Number(text);
  return text.trim() === '' || !Number.isFinite(found) ? null : found;
}
