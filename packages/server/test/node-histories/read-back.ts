import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@spaceport/client/api-error';
import { verifyRanks } from '../../src/boards/verify-ranks.ts';
import { verifyFiles } from '../../src/versions/mend.ts';
import { originOf } from '../room-member.ts';
import { eventually, get } from './answered.ts';
import { boards } from './choices.ts';
import { type NodeCluster, nodeNames } from './cluster.ts';
import type { Story } from './story.ts';

/** Asserts that both nodes have exactly the acknowledged writes. */
export async function readBack(story: Story): Promise<void> {
  await story.loaded();
  await readServed(story);
  await readListed(story);
  if (!story.deleted) await readPlayed(story);
}

/** Asserts that each node serves the last live version, and every earlier live version at its own address. */
async function readServed(story: Story): Promise<void> {
  const { cluster, slug, versions, live, deleted } = story;
  const origin = originOf(cluster.test, slug);
  for (const name of nodeNames) {
    const wanted = deleted ? 'status 410' : `<title>${versions.get(live)}</title>`;
    await eventually(async () => {
      const answer = await get(await cluster.portOf(name), `${origin}/`);
      const found = `status ${answer.status}: ${answer.text()}`;
      return found.includes(wanted) ? null : `${slug} on ${name} is not ${wanted}, but ${found}`;
    });
    if (deleted) continue;
    for (const [number, mark] of versions) {
      const answer = await get(await cluster.portOf(name), `${origin}/~${number}/first.js`);
      assert.equal(answer.text(), `/* ${mark} */`, `${slug}, version ${number} on ${name}`);
    }
  }
}

async function readListed(story: Story): Promise<void> {
  const { client, slug, listed, movedTo, claimed, versions, live, deleted } = story;
  if (!deleted) {
    const found = (await client.listVersions({ params: { slug } })).versions;
    const nowLive = found.filter((version) => version.live).map(({ number }) => number);
    assert.deepEqual(nowLive, [live], `${slug} has ${nowLive} live, not ${live}`);
    const judged = new Map(found.map(({ number, status }) => [number, status]));
    for (const number of versions.keys()) assert.equal(judged.get(number), 'live', `${slug}, ${number}`);
  }
  assert.equal((await client.readSpace({ params: { slug: listed } })).url, movedTo);
  for (const { slug: page, by, notBy } of claimed) {
    await by.listVersions({ params: { slug: page } });
    await assert.rejects(notBy.listVersions({ params: { slug: page } }), ApiError, `${page} is of two`);
  }
}

/** Asserts scores, achievements and saves. */
async function readPlayed(story: Story): Promise<void> {
  const { client, slug, standings, save, guest } = story;
  for (const key of boards) {
    const wanted = standings.ranking(key);
    await eventually(async () => {
      const { entries } = await client.readEntries({ params: { slug, key }, query: { limit: 100 } });
      const found = entries.map(({ handle, score }) => ({ handle, score }));
      if (isDeepStrictEqual(found, wanted)) return null;
      return `${slug}, ${key}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
    });
  }
  const { differences, submissions } = await verifyRanks(story.cluster.test.service.platform, slug);
  assert.deepEqual(differences, [], slug);
  assert.equal(
    submissions,
    standings.submissions,
    `${slug} has ${submissions} submissions, not ${standings.submissions}`,
  );
  await eventually(async () => {
    const { achievements } = await client.readGallerySpace({ params: { slug } });
    const found = achievements[0]?.unlocks;
    return found === standings.unlocks ? null : `${slug}: ${found} unlocks, not ${standings.unlocks}`;
  });
  if (save === null) return;
  const read = await client.readSave(
    { params: { slot: 'main' }, query: { space: slug } },
    { headers: guest },
  );
  assert.deepEqual(
    [read.version, read.data],
    [save.version, save.data],
    `${slug}: ${JSON.stringify([read, save])}`,
  );
}

/** Asserts the invariants over all spaces. */
export async function readInvariants({ test, wrongs }: NodeCluster): Promise<void> {
  const { platform } = test.service;
  assert.deepEqual(wrongs, []);
  const { files, lost } = await verifyFiles(platform, { repair: false, backup: null });
  assert.ok(files > 0);
  assert.deepEqual(lost, []);
  const strangers = await platform.database.db
    .selectFrom('spaces')
    .innerJoin('versions', 'versions.id', 'spaces.live_version_id')
    .select(['spaces.slug', 'versions.status'])
    .where((where) =>
      where.or([
        where('versions.status', '!=', 'live'),
        where('versions.space_id', '!=', where.ref('spaces.id')),
      ]),
    )
    .execute();
  assert.deepEqual(strangers, [], 'served, and not live or not its own');
}
