import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { errorMailJob, errorMailRef, leastSessions } from './error-mail-rules.ts';
import { type TalliedError, Tally } from './tally.ts';
import {
  addBrowsers,
  addErrorGroup,
  addOccurrence,
  findFingerprints,
  findToldVersions,
} from './write-errors.queries.ts';

/** The most distinct errors in a version. Further ones are counted together. */
const mostInVersion = 200;
const others = {
  fingerprint: 'others',
  place: null,
  kind: 'uncaught',
  message: 'Other errors',
  stack: null,
} as const;

export async function writeErrors(tx: Tx, errors: readonly TalliedError[]): Promise<void> {
  const byVersion = Map.groupBy(errors, ({ spaceId, env, version }) => `${spaceId} ${env} ${version}`);
  const versions = await findToldVersions(tx, errors);
  for (const told of byVersion.values()) {
    const [first] = told;
    const versionId = first && versions.get(`${first.spaceId} ${first.version}`);
    // The space or the version was deleted in the meantime.
    if (versionId === undefined) continue;
    for (const error of await withinBounds(tx, told)) await writeError(tx, error, versionId);
  }
}

/**
 * Replaces new errors by «other errors» in a version that has reached its limit.
 * @param errors errors of one version
 */
async function withinBounds(tx: Tx, errors: readonly TalliedError[]): Promise<TalliedError[]> {
  const [first] = errors;
  if (!first) return [];
  const known = await findFingerprints(tx, first);
  const within = new Tally();
  for (const error of errors) {
    if (!known.has(error.fingerprint) && known.size >= mostInVersion) {
      within.add({ ...error, ...others });
      continue;
    }
    known.add(error.fingerprint);
    within.add(error);
  }
  return within.read().errors;
}

async function writeError(tx: Tx, error: TalliedError, versionId: VersionId | null): Promise<void> {
  const groupId = await addErrorGroup(tx, error);
  const { sessions, isNew, alertedAt } = await addOccurrence(tx, groupId, error, versionId);
  await addBrowsers(tx, groupId, error.browsers);
  const mayAlert = error.env === 'live' && error.version > 0 && isNew && alertedAt === null;
  if (mayAlert && error.sessions > 0 && sessions >= leastSessions)
    await tx.enqueue(errorMailJob, errorMailRef(error));
}
