import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { run } from './processes.ts';
import { saveOf } from './save-load.ts';

const players = 1_000;
/** Number of saves per commit, which is the number of connections in the load. */
const together = 64;

export interface BareRate {
  readonly savesPerSecond: number;
  /** CPU time of the writing process per save, without PostgreSQL's own. */
  readonly cpuUs: number;
}

/**
 * Writes saves of the same size, equally durable, in a bare process: into a SQLite file, or into PostgreSQL.
 */
export async function bareSaves(target: string, seconds: number): Promise<BareRate> {
  const script = fileURLToPath(import.meta.url);
  return JSON.parse(await run('server', process.execPath, [script, target, String(seconds)])) as BareRate;
}

type Write = (saves: readonly { player: string; version: number; data: string }[]) => Promise<void>;

const table =
  'create table if not exists saves (player text primary key, version bigint not null, data text not null)';

function toSqlite(file: string): { write: Write; close: () => void } {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000');
  database.exec(table);
  const put = database.prepare('insert or replace into saves (player, version, data) values (?, ?, ?)');
  return {
    async write(saves) {
      database.exec('begin immediate');
      for (const { player, version, data } of saves) put.run(player, version, data);
      database.exec('commit');
    },
    close: () => database.close(),
  };
}

async function toPostgres(url: string): Promise<{ write: Write; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(table);
  return {
    async write(saves) {
      await client.query({
        name: 'put',
        text: `insert into saves (player, version, data) select * from unnest($1::text[], $2::bigint[], $3::text[])
          on conflict (player) do update set version = excluded.version, data = excluded.data`,
        values: [
          saves.map(({ player }) => player),
          saves.map(({ version }) => version),
          saves.map(({ data }) => data),
        ],
      });
    },
    close: () => client.end(),
  };
}

if (import.meta.main) {
  const [, , target = '', seconds = '1'] = process.argv;
  const { write, close } = target.startsWith('postgres') ? await toPostgres(target) : toSqlite(target);
  let done = 0;
  const round = async () => {
    const saves = Array.from({ length: together }, (_, index) => ({
      player: `p${(done + index) % players}`,
      version: done,
      data: saveOf(done + index),
    }));
    await write(saves);
    done += together;
  };
  await round();
  const began = performance.now();
  const before = process.cpuUsage();
  const first = done;
  while (performance.now() - began < Number(seconds) * 1_000) await round();
  const cpu = process.cpuUsage(before);
  const written = done - first;
  const rate: BareRate = {
    savesPerSecond: (written * 1_000) / (performance.now() - began),
    cpuUs: (cpu.user + cpu.system) / written,
  };
  console.log(JSON.stringify(rate));
  await close();
}
