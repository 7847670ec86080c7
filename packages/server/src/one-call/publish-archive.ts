import { createVersion } from '@spaceport/contract/hosting';
import { publishArchive as publishOperation, usualPublishWaitSeconds } from '@spaceport/contract/one-call';
import type { AnswerOf } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import { givenId, type VersionId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import type { BodyBudget } from '../platform/http/body-budget.ts';
import { type Caller, hasClaim } from '../platform/http/caller.ts';
import { hashRequest, replayedHeaders } from '../platform/http/idempotency-key.ts';
import { atLeastSpeed } from '../platform/http/least-speed.ts';
import type { Confine, OperationAnswer, OperationRequest } from '../platform/http/operations.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import {
  publisherBeforeClaim,
  publisherOf,
  publishKeyOf,
  publishVersion,
  tryVersion,
} from '../unlisted/publish.ts';
import { withdrawCreate } from '../unlisted/withdraw.ts';
import { finishVersion, requireMayGoLive, requireNotBusy } from '../versions/finish-version.ts';
import type { ManifestDiff } from '../versions/manifest.ts';
import type { Publisher } from '../versions/publisher.ts';
import type { StatusReads } from '../versions/read-version.ts';
import { createUploadRoom } from '../versions/upload-room.ts';
import type { Uploads } from '../versions/uploads.ts';
import { readVersionFiles } from '../versions/version-files.ts';
import { createBodyOf, readSettings, spaceOf } from './create-body.ts';
import { type ReceivedArchive, receiveArchive } from './receive-archive.ts';
import { scanArchive } from './scan.ts';
import { sendFiles } from './send-files.ts';

type Request = Pick<
  OperationRequest<typeof publishOperation>,
  'query' | 'body' | 'caller' | 'headers' | 'address' | 'gone'
> & { readonly cut: () => void };

export interface OneCall {
  readonly platform: Platform;
  readonly uploads: Uploads;
  readonly statuses: StatusReads;
  readonly bodies: BodyBudget;
  readonly confine: Confine;
}

/**
 * Archives have a limit of their own, because reading one costs more than refusing a create: this many may be
 * received for each allowed publish.
 */
const archivesPerPublish = 3;

/**
 * Publishes a folder that comes in one body: it receives and reads the archive, then calls the functions
 * behind the calls that a client would make.
 * @throws the errors of these functions
 */
export function createPublishArchive(
  oneCall: OneCall,
): (request: Request) => Promise<OperationAnswer<AnswerOf<typeof publishOperation>>> {
  const { platform } = oneCall;
  const room = createUploadRoom(platform.together, 'archives');

  /** Makes the checks that do not need the body. */
  async function admit(request: Request, publisher: Publisher): Promise<void> {
    const { query, caller } = request;
    publisher.requireMayPublish();
    if (query.live) requireMayGoLive(publisher);
    if (hasClaim(caller)) await publisher.findSpace(undefined);
    else if (query.space !== undefined) {
      await confineTo(caller, query.space);
      await publisher.findSpace(query.space);
    }
    const { bucket, limit } = publisher.rate;
    const archives = { ...limit, count: limit.count * archivesPerPublish };
    await platform.database.transaction(async (tx) => {
      const { principal } = publisher;
      if (query.live && principal !== null) await requireNotBusy(tx, principal);
      await requireWithin(
        tx,
        `archives:${bucket}`,
        archives,
        `More than ${archives.count} archives were sent in an hour; try again later.`,
        publisher.moreBy && { next: publisher.moreBy },
      );
    });
  }

  const confineTo = (caller: Caller, space: string | undefined) =>
    oneCall.confine(caller, createVersion, { params: {}, body: { space } });

  return async (request) => {
    const { body, headers, address, caller, cut } = request;
    const publisher = await publisherBeforeClaim(platform, request);
    const key = publishKeyOf(request);
    await admit(request, publisher);
    const archive = await receiveArchive({
      headers,
      source: atLeastSpeed(body as AsyncIterable<Uint8Array>, cut),
      limits: publisher.limits,
      sender: caller.kind === 'creator' ? caller.creatorId : networkOf(address),
      room,
      temporaryFolder: temporaryFolder(platform.config),
    });
    let made: Made;
    try {
      made = await publishOf(request, publisher, archive, key);
    } finally {
      await archive.close();
    }
    const told = await answerOf(request, made);
    return { body: told, ...(made.isRepeat && { headers: replayedHeaders }) };
  };

  async function publishOf(
    request: Request,
    publisher: Publisher,
    archive: ReceivedArchive,
    key: string | null,
  ) {
    const { caller, query, address } = request;
    const scan = await scanArchive(archive.entries, archive.packedBytes, publisher.limits);
    if (scan.files.length === 0)
      throw new ServiceError('invalid_files', 'The upload has no file to publish.');
    const settings = readSettings(scan);
    const slug = query.space ?? spaceNamed(caller, spaceOf(settings));
    const isNew = slug === undefined && caller.kind !== 'claim' && !hasClaim(caller);
    const body = createBodyOf(scan, settings, query, { slug, isNew });
    await confineTo(caller, slug);
    const { diff } = await tryVersion(platform, request, body);
    const { id: operationId } = publishOperation;
    const requestHash = hashRequest(operationId, { ...body, live: query.live === true });
    const created = await publishVersion(platform, request, body, key === null ? null : { key, requestHash });
    const { isRepeat } = created;
    const { version, space, uploads, batch: _batch, limits: _limits, ...unlisted } = created.body;
    const id = givenId('ver', version.id);
    try {
      await sendFiles(
        archive.entries,
        scan,
        { id, uploads },
        { ...oneCall, network: networkOf(address), now: () => platform.clock.now() },
      );
      const done = await finish(request, id, unlisted.claimToken);
      const changes = isRepeat ? await changesOf(id, done.owner) : diff;
      return { version, space, unlisted, diff: changes, leftOut: scan.leftOut, isRepeat, ...done };
    } catch (error) {
      // The request that made it goes on perhaps, or has ended and may be sent once more.
      if (isRepeat) throw error;
      // The refusal names neither the space nor the version, so the caller could not go on with them.
      await withdrawCreate(platform, { id, isNewSpace: isNew }).catch((err: unknown) =>
        platform.log.warn({ err, version: id }, 'a publish that failed was not taken back'),
      );
      throw error;
    }
  }
  type Made = Awaited<ReturnType<typeof publishOf>>;

  /** The page may show the version by now: its changes are those to the one before it. */
  async function changesOf(id: VersionId, owner: Publisher): Promise<ManifestDiff> {
    const { against: _number, ...diff } = (await readVersionFiles(platform, owner, id, undefined)).diff;
    return diff;
  }

  /** @param claimToken the token of a new page without an account, which is finished with it */
  async function finish(request: Request, id: VersionId, claimToken: string | undefined) {
    const asking =
      claimToken === undefined
        ? request
        : { ...request, caller: { kind: 'claim', claim: claimToken } as const };
    const owner = await publisherOf(platform, asking);
    const preview = request.query.live !== true;
    return { owner, finished: await finishVersion(platform, owner, id, { preview }) };
  }

  async function answerOf({ query, gone }: Request, made: Made): Promise<AnswerOf<typeof publishOperation>> {
    const { version, space, owner, unlisted, finished, diff, leftOut } = made;
    const seconds = query.wait ?? usualPublishWaitSeconds;
    const wait = seconds === 0 ? null : { seconds, signal: gone() };
    const { read } = await oneCall.statuses.read(owner, givenId('ver', version.id), wait);
    const { status, reason, stopped, pageUrl, previewUrl, previewPageUrl, report } = read;
    return {
      space,
      version,
      status,
      ...(reason !== undefined && { reason }),
      ...(stopped && { stopped }),
      pageUrl,
      ...(previewUrl !== undefined && { previewUrl, previewPageUrl }),
      watchUrl: finished.watchUrl,
      ...unlisted,
      diff,
      ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
      ...(report !== undefined && { report }),
    };
  }
}

/**
 * Returns the space that service.json or a token for one space names. Callers without an account, or with a
 * claim token, publish to their own page.
 */
function spaceNamed(caller: Caller, inSettings: string | undefined): string | undefined {
  if (caller.kind !== 'creator' || hasClaim(caller)) return undefined;
  return inSettings ?? caller.onlySpace?.slug;
}
