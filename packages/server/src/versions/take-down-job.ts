import type { NamedLink } from '@spaceport/contract/named-link';
import type { Platform } from '../platform/context.ts';
import { givenId, type VersionId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { askOperators } from '../platform/mail/contact.ts';
import type { Mail } from '../platform/mail/mailer.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { listManifests } from './collector.queries.ts';
import { takeDownJob } from './job-kinds.ts';
import {
  countTakenDownVersions,
  findSpaceOfVersion,
  findTakenDownFile,
  insertTakenDownVersion,
} from './taken-down.queries.ts';

const manifestPage = 50;

interface Found {
  readonly versionId: VersionId;
  readonly path: string;
}

/**
 * Looks for the file in every manifest, records the versions that have it, and tells the owner of each space
 * once.
 */
export function createTakeDownJob(platform: Platform): JobKind {
  return {
    kind: takeDownJob,
    timeoutSeconds: 3_600,
    maxAttempts: 10,
    concurrency: 1,
    async run({ ref: hash, signal }) {
      let after = givenId('ver', '');
      for (;;) {
        signal.throwIfAborted();
        const manifests = await listManifests(platform.database.db, after, manifestPage);
        for (const { version_id: versionId, files } of manifests) {
          const file = fromJson(files).find(([, other]) => other === hash);
          if (file) await tellOf(platform, hash, { versionId, path: file[0] });
        }
        const last = manifests.at(-1);
        if (!last || manifests.length < manifestPage) return;
        after = last.version_id;
        // Lets other work run between two pages.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/**
 * Records a version, and tells its owner unless another version of the space is recorded: then they have been told, by
 * this run or by an earlier one that broke off.
 */
async function tellOf(
  { database, urls, config }: Platform,
  hash: string,
  { versionId, path }: Found,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await insertTakenDownVersion(tx, hash, versionId))) return;
    const file = await findTakenDownFile(tx.db, hash);
    const space = await findSpaceOfVersion(tx.db, versionId);
    if (!file || !space || space.email === null) return;
    if ((await countTakenDownVersions(tx, hash, space.id)) > 1) return;
    const found = { ...space, path, reason: file.reason, contact: config.CONTACT };
    await queueMail(tx, takenDownMail(space.email, found, urls.app));
  });
}

function takenDownMail(
  to: string,
  {
    slug,
    title,
    path,
    reason,
    contact,
  }: { slug: string; title: string; path: string; reason: string; contact: NamedLink | null },
  appOrigin: string,
): Mail {
  return {
    to,
    subject: `A file of ${title} was taken down`,
    text: [
      `The operators of the service have taken down the file «${path}» of ${title}, wherever it is:`,
      '',
      reason,
      '',
      'Versions that have the file are not served any more, and cannot be published again. Publish a version without it,',
      'and delete those that have it:',
      `${appOrigin}/dashboard/${slug}`,
      '',
      askOperators(contact),
      '',
    ].join('\n'),
  };
}
