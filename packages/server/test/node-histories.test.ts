import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { roundOf } from './node-histories/choices.ts';
import { type NodeCluster, startNodeCluster } from './node-histories/cluster.ts';
import { Meeting } from './node-histories/meeting.ts';
import { playRound } from './node-histories/play-round.ts';
import { readBack, readInvariants } from './node-histories/read-back.ts';
import { Story } from './node-histories/story.ts';
import { openSocketsFrom } from './room-browser.ts';
import { originOf } from './room-member.ts';
import './several-nodes.ts';

/** The number of schedules that are played at the same time, on the same nodes. */
const atOnce = 8;
/**
 * To run more by hand: `NODE_HISTORIES=200 npm test -- node-histories`. To repeat a failed round:
 * `NODE_HISTORIES_SEED=…`.
 */
const rounds = Math.ceil(Number(process.env.NODE_HISTORIES ?? 24) / atOnce);
const givenSeed = process.env.NODE_HISTORIES_SEED;
const seeds = givenSeed ? [Number(givenSeed)] : Array.from({ length: rounds }, (_, at) => at + 1);

describe('histories of two nodes and a worker that are killed, restarted and cut off', () => {
  let cluster: NodeCluster;
  /** The slug of the space that has the rooms. */
  let hall: string;
  before(async () => {
    cluster = await startNodeCluster();
    hall = (await Story.begin(cluster)).slug;
    openSocketsFrom(originOf(cluster.test, hall), new URL(cluster.test.baseUrl).host);
  });
  after(() => cluster.close());

  for (const seed of seeds)
    it(`lose nothing that was acknowledged: NODE_HISTORIES_SEED=${seed}`, async (t) => {
      const round = roundOf(seed, atOnce);
      const stories = await Promise.all(round.schedules.map(() => Story.begin(cluster)));
      const meetings = await Promise.all([1, 2].map(() => Meeting.begin(cluster, hall)));
      t.after(() => {
        // A module in a room tries to reconnect as long as it is allowed to, so each leaves its room.
        for (const meeting of meetings) meeting.leave();
      });
      await playRound(cluster, round, { stories, meetings }, say(t));
      await Promise.all([...stories.map(readBack), ...meetings.map((meeting) => meeting.settled())]);
      await readInvariants(cluster);
      assert.ok(stories.some(({ versions }) => versions.size > 1));
      t.diagnostic(`the slowest refusal took ${cluster.slowestRefusalMs.toFixed(0)} ms`);
    });
});

function say(t: TestContext): (text: string) => void {
  return (text) => t.diagnostic(text);
}
