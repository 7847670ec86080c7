import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { run } from './processes.ts';

/** Number of scores per commit, which is the number of connections in the load. */
const together = 64;

export interface BareScores {
  readonly postsPerSecond: number;
  /** CPU time of the writing process per score. */
  readonly cpuUs: number;
}

/**
 * Writes the rows of scores by random players, equally durable, in a bare process: a submission, and the player's
 * entry if the score is better. The tables have the service's columns and indexes. No rank is counted.
 * @param file the database; a new one gets a board with an entry of each player first
 */
export async function bareScores(file: string, players: number, seconds: number): Promise<BareScores> {
  const script = fileURLToPath(import.meta.url);
  const words = [script, file, String(players), String(seconds)];
  return JSON.parse(await run('server', process.execPath, words)) as BareScores;
}

const tables = `
create table submissions (id integer primary key autoincrement, board_id text not null, player_id text not null,
  score real not null, meta text, created_at integer not null, version integer, session text, run text);
create index submissions_player on submissions (board_id, player_id, id);
create index submissions_day on submissions (board_id, created_at, player_id);
create table entries (ranking_id integer not null, player_id text not null, sort_key real not null,
  submission_id integer not null, primary key (ranking_id, player_id)) without rowid;
create index entries_rank on entries (ranking_id, sort_key, submission_id);`;

const board = 'brd_0123456789abcdef';
const playerOf = (number: number) => `usr_cre_${String(number).padStart(12, '0')}`;
const randomBelow = (end: number) => Math.floor(Math.random() * end);

function open(file: string, players: number) {
  const isNew = !existsSync(file);
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000');
  if (isNew) database.exec(tables);
  const submit = database.prepare(
    'insert into submissions (board_id, player_id, score, meta, created_at) values (?, ?, ?, null, ?)',
  );
  const enter = database.prepare(
    `insert into entries (ranking_id, player_id, sort_key, submission_id) values (1, ?, ?, ?)
      on conflict do update set sort_key = excluded.sort_key, submission_id = excluded.submission_id
      where excluded.sort_key < sort_key`,
  );
  const write = (scores: Iterable<{ player: string; score: number }>) => {
    database.exec('begin immediate');
    for (const { player, score } of scores) {
      const { lastInsertRowid } = submit.run(board, player, score, Date.now());
      enter.run(player, -score, lastInsertRowid);
    }
    database.exec('commit');
  };
  const randomScore = () => randomBelow(1_000_000_000);
  if (isNew)
    write(
      Array.from({ length: players }, (_, number) => ({ player: playerOf(number), score: randomScore() })),
    );
  return {
    round: () =>
      write(
        Array.from({ length: together }, () => ({
          player: playerOf(randomBelow(players)),
          score: randomScore(),
        })),
      ),
    close: () => database.close(),
  };
}

if (import.meta.main) {
  const [, , file = '', players = '1', seconds = '1'] = process.argv;
  const { round, close } = open(file, Number(players));
  round();
  let written = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  while (performance.now() - began < Number(seconds) * 1_000) {
    round();
    written += together;
  }
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  const rate: BareScores = {
    postsPerSecond: (written * 1_000) / elapsed,
    cpuUs: (user + system) / written,
  };
  console.log(JSON.stringify(rate));
  close();
}
