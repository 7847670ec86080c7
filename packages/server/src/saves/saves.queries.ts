import { type Selectable, sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import { type Cells, type GivenList, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedForEach } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db, Env, SavesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SaveContent } from './saved-content.ts';

/** The owner of saves: a player (an account or a guest) in a space, live or in the sandbox. */
export interface SaveOwner {
  readonly playerId: PlayerId;
  readonly spaceId: SpaceId;
  readonly env: Env;
}

export type SaveRow = Selectable<SavesTable>;

/** A save without its content. */
export type HeadRow = Omit<SaveRow, 'data' | 'digest'>;

export function ownerKey({ playerId, spaceId, env }: SaveOwner): string {
  return `${playerId} ${spaceId} ${env}`;
}

export async function findSaves(db: Db, { playerId, spaceId, env }: SaveOwner): Promise<HeadRow[]> {
  return db
    .selectFrom('saves')
    .select(['space_id', 'env', 'player_id', 'slot', 'version', 'type', 'bytes', 'device', 'at'])
    .where('player_id', '=', playerId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .orderBy('slot')
    .execute();
}

export async function findSave(
  db: Db,
  { playerId, spaceId, env }: SaveOwner,
  slot: string,
): Promise<SaveRow | undefined> {
  return db
    .selectFrom('saves')
    .selectAll()
    .where('player_id', '=', playerId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('slot', '=', slot)
    .executeTakeFirst();
}

/** A save as writes need it. */
export interface StandingRow extends SaveOwner {
  readonly slot: string;
  readonly version: number;
  readonly digest: string;
  readonly bytes: number;
  /** When it was written, in epoch milliseconds. */
  readonly at: number;
}

/** Returns the saves of these players, in one statement. */
export async function findStandings(tx: Tx, owners: readonly SaveOwner[]): Promise<StandingRow[]> {
  return standingsOf(tx.db, { rows: listOf(ownerRows(owners)) });
}

const standingsOf = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<StandingRow>`
    with ${asTable(db, rows)}
    select t.player_id as "playerId", t.space_id as "spaceId", t.env, t.slot, t.version, t.digest, t.bytes, t.at
    from p cross join saves as t
    where t.player_id = p.player and t.space_id = p.space and t.env = p.env`,
);

/** Returns the last version numbers given to these players, by `ownerKey`. */
export async function findCounters(tx: Tx, owners: readonly SaveOwner[]): Promise<Map<string, number>> {
  const rows = await countersOf(tx.db, { rows: listOf(ownerRows(owners)) });
  return new Map(rows.map((row) => [ownerKey(row), row.version]));
}

const countersOf = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<SaveOwner & { version: number }>`
    with ${asTable(db, rows)}
    select t.player_id as "playerId", t.space_id as "spaceId", t.env, t.last_version as version
    from p cross join save_counters as t
    where t.player_id = p.player and t.space_id = p.space and t.env = p.env`,
);

/** Returns the distinct owners, as rows for `asTable`. */
export function ownerRows(owners: readonly SaveOwner[]): Cells[] {
  const rows = new Map(owners.map((owner) => [ownerKey(owner), [owner.playerId, owner.spaceId, owner.env]]));
  return [...rows.values()];
}

/** Makes a table `p` of `player`, `space` and `env` from rows of owners. */
export function asTable(db: Db, rows: GivenList<Cells>) {
  return sql`p as materialized (
    select c0 as player, c1 as space, c2 as env from ${rowsOfList(db, rows, 3)} as given)`;
}

/** A save to be written. */
export interface NewSave {
  readonly owner: SaveOwner;
  readonly slot: string;
  readonly version: number;
  readonly content: SaveContent;
  /** When it was written, in epoch milliseconds; absent for now. */
  readonly at?: number;
}

/** Writes saves and replaces existing ones. The caller holds their owners' locks. */
export async function putSaves(tx: Tx, saves: readonly NewSave[]): Promise<void> {
  await putRows(
    tx,
    saves.map(({ owner, slot, version, content, at = tx.now }) => [
      owner.playerId,
      owner.spaceId,
      owner.env,
      slot,
      version,
      content.type,
      content.bytes,
      content.digest,
      content.device,
      at,
      content.data,
    ]),
  );
}

const putRows = preparedInsert(
  'saves',
  {
    player_id: 'text',
    space_id: 'text',
    env: 'text',
    slot: 'text',
    version: 'bigint',
    type: 'text',
    bytes: 'integer',
    digest: 'text',
    device: 'text',
    at: 'bigint',
    data: 'long text',
  },
  sql`on conflict (player_id, space_id, env, slot) do update set version = excluded.version, type = excluded.type,
    bytes = excluded.bytes, digest = excluded.digest, device = excluded.device, at = excluded.at,
    data = excluded.data`,
);

/** A save that goes to another player, who has none in its slot. */
export interface MovedSave extends Omit<SaveOwner, 'playerId'> {
  readonly slot: string;
  /** The version that it gets. */
  readonly version: number;
}

/** Gives saves of a player to another one, without reading their content. The caller holds the locks of both. */
export async function moveSaves(
  tx: Tx,
  { from, to }: { readonly from: PlayerId; readonly to: PlayerId },
  saves: readonly MovedSave[],
): Promise<void> {
  if (saves.length === 0) return;
  const rows = saves.map(({ spaceId, env, slot, version }) => [spaceId, env, slot, version]);
  await moveRows(tx.db, { rows: listOf(rows), from, to });
}

const moveRows = preparedForEach(
  (db, { rows, from, to }: Given<{ rows: List<Cells>; from: PlayerId; to: PlayerId }>) => sql`
    with p as materialized (
      select c0 as space, c1 as at_env, c2 as at_slot, cast(c3 as bigint) as new_version
      from ${rowsOfList(db, rows, ['text', 'text', 'text', 'bigint'])} as given)
    update saves set player_id = ${to}, version = p.new_version from p
    where player_id = ${from} and space_id = p.space and env = p.at_env and slot = p.at_slot`,
);

export async function putCounters(
  tx: Tx,
  counters: readonly { readonly owner: SaveOwner; readonly version: number }[],
): Promise<void> {
  await putCounterRows(
    tx,
    counters.map(({ owner, version }) => [owner.playerId, owner.spaceId, owner.env, version]),
  );
}

const putCounterRows = preparedInsert(
  'save_counters',
  { player_id: 'text', space_id: 'text', env: 'text', last_version: 'bigint' },
  sql`on conflict (player_id, space_id, env) do update set last_version = excluded.last_version`,
);

export async function deleteSave(tx: Tx, { playerId, spaceId, env }: SaveOwner, slot: string): Promise<void> {
  await tx.db
    .deleteFrom('saves')
    .where('player_id', '=', playerId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('slot', '=', slot)
    .execute();
}

/** Returns the places in which a player has saves or losers. */
export async function findPlaces(db: Db, playerId: PlayerId): Promise<SaveOwner[]> {
  const rows = await db
    .selectFrom('saves')
    .select(['space_id', 'env'])
    .where('player_id', '=', playerId)
    .union(db.selectFrom('save_losers').select(['space_id', 'env']).where('player_id', '=', playerId))
    .orderBy('space_id')
    .orderBy('env')
    .execute();
  return rows.map(({ space_id, env }) => ({ playerId, spaceId: space_id, env }));
}

const tables = ['saves', 'save_losers', 'save_counters'] as const;

/** Deletes what a player saved, everywhere or in one space. Returns how many saves were deleted. */
export async function deleteSavesOf(tx: Tx, playerId: PlayerId, spaceId?: SpaceId): Promise<number> {
  return deleteFromAll(tx, { playerId, spaceId });
}

/**
 * Deletes what is saved in the sandbox of a space, by everyone or by one player. Returns how
 * many saves were deleted.
 */
export async function clearSandboxSaves(
  tx: Tx,
  { spaceId, playerId }: { spaceId: SpaceId; playerId: PlayerId | undefined },
): Promise<number> {
  return deleteFromAll(tx, { playerId, spaceId, env: 'sandbox' });
}

async function deleteFromAll(
  tx: Tx,
  which: { playerId?: PlayerId | undefined; spaceId?: SpaceId | undefined; env?: Env },
): Promise<number> {
  let saves = 0;
  for (const table of tables) {
    let deletion = tx.db.deleteFrom(table);
    if (which.playerId !== undefined) deletion = deletion.where('player_id', '=', which.playerId);
    if (which.spaceId !== undefined) deletion = deletion.where('space_id', '=', which.spaceId);
    if (which.env !== undefined) deletion = deletion.where('env', '=', which.env);
    const { numDeletedRows } = await deletion.executeTakeFirst();
    if (table === 'saves') saves = Number(numDeletedRows);
  }
  return saves;
}
