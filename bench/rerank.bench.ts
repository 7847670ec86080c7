import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../packages/server/src/platform/context.ts';
import { playerHandle } from './lib/board-data.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { startScoreService } from './lib/score-service.ts';

const players = 200_000;
const pauseMs = 5;

/** The waiting time of a post while the rules of a large board are changed, on PostgreSQL. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using postgres = await startDurablePostgres();
  const atOnce = await measure(
    join(folder.path, 'a'),
    await postgres.createDatabase('at_once'),
    '1000000000',
  );
  const beside = await measure(join(folder.path, 'b'), await postgres.createDatabase('beside'), '2000');
  const ms = (value: number) => ({ value, unit: 'ms' });
  const name = 'ranked anew in the transaction';
  return {
    title: 'Ranking a board anew',
    method: `A board of ${players.toLocaleString('en')} players on PostgreSQL (fsync on) changes from «more is better» to «less is better» while scores are posted to it, one after the other: the longest that a post took, from the change until every entry stands anew. Beside it, the same with RERANK_AT_ONCE so high that the transaction which changes the rule ranks the board. One run each.`,
    rows: [
      row(
        'longest post while it is ranked anew',
        ms(beside.longestPostMs),
        { name, ...ms(atOnce.longestPostMs) },
        {
          of: 'ours',
          atMost: 200,
        },
      ),
      row(
        'posts refused meanwhile (503)',
        { value: beside.refused, unit: '' },
        { name, value: atOnce.refused, unit: '' },
      ),
      row('until the change of the rule is answered', ms(beside.changeMs), { name, ...ms(atOnce.changeMs) }),
      row('until every entry stands anew', ms(beside.doneMs), { name, ...ms(atOnce.doneMs) }),
    ],
  };
}

interface Measured {
  readonly longestPostMs: number;
  /** Posts that were answered 503. */
  readonly refused: number;
  readonly changeMs: number;
  readonly doneMs: number;
}

async function measure(folder: string, url: string, atOnce: string): Promise<Measured> {
  const environment = { DATABASE_URL: url, RERANK_AT_ONCE: atOnce };
  await using scores = await startScoreService(folder, players, environment, {}, 'all');
  const { port } = scores.service;
  let refused = 0;
  const post = async (index: number) => {
    const begun = performance.now();
    const answer = await fetch(`http://localhost:${port}/api/v1/scores`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scores.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ board: 'main', player: playerHandle(index % players), score: index % 997 }),
    });
    await answer.arrayBuffer();
    // A post that has waited too long for the lock is answered 503.
    if (answer.status === 503) refused++;
    else if (answer.status !== 201) throw new Error(`a post was answered ${answer.status}`);
    return performance.now() - begun;
  };
  for (let index = 0; index < 200; index++) await post(index);

  const begun = performance.now();
  let changeMs = Number.NaN;
  const changed = fetch(`http://localhost:${port}/api/spaces/${scores.slug}/boards`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${scores.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ boards: [{ key: 'main', sort: 'asc' }] }),
  }).then(async (answer) => {
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    changeMs = performance.now() - begun;
  });
  await using data = await openData(folder, environment);
  let longestPostMs = 0;
  for (let index = 0; Number.isNaN(changeMs) || (await isBeingRanked(data.platform)); index++) {
    longestPostMs = Math.max(longestPostMs, await post(index));
    await pause(pauseMs);
  }
  await changed;
  return { longestPostMs, refused, changeMs, doneMs: performance.now() - begun };
}

async function isBeingRanked({ database: { db } }: Platform): Promise<boolean> {
  const row = await db
    .selectFrom('boards')
    .select('id')
    .where('ranked_as', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
