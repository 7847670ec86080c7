import { randomBytes } from 'node:crypto';
import type { Domain } from '@spaceport/contract/domains';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { dequeue } from '../platform/jobs/dequeue.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView } from '../spaces/space-view.ts';
import { requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import { readDomainHost } from './domain-host.ts';
import { domainJob } from './domain-job.ts';
import { changeDomain, type DomainRow, deleteDomain, findDomain, putDomain } from './domains.queries.ts';
import { recordsFor } from './records.ts';

const changes = { count: 20, seconds: 3_600 };

/** @throws `not_found` if the space has none */
export async function readDomain(platform: Platform, caller: CreatorCaller, slug: string): Promise<Domain> {
  const { db } = platform.database;
  const found = await domainOf(platform, await ownView(db, slug, caller));
  if (!found) throw none(slug);
  return found;
}

/** Returns the host name of a space, or null. */
export async function domainOf(
  platform: Platform,
  { id, slug }: Pick<SpaceRow, 'id' | 'slug'>,
): Promise<Domain | null> {
  const row = await findDomain(platform.database.db, id);
  return row ? toDomain(platform, row, slug) : null;
}

/**
 * Gives a space a host name in place of its old one, and requests a look at its records. The same name again
 * only requests a look.
 * @throws `not_found`, `held`, `removed`, `invalid`, `rate_limited`, and `conflict` if the service or the
 * space cannot have one
 */
export async function writeDomain(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  given: string,
): Promise<Domain> {
  const { config } = platform;
  if (!config.CUSTOM_DOMAINS)
    throw new ServiceError(
      'conflict',
      'This service offers no own host names for spaces: CUSTOM_DOMAINS is off.',
      {
        next: (app) =>
          `Only the operator of the service can switch that on; ${app}/s/${slug} stays the address of the page.`,
      },
    );
  const host = readDomainHost(given, [new URL(config.BASE_URL).host, config.PLAY_HOST, config.PREVIEW_HOST]);
  const row = await platform.database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    // A space under review cannot be changed, so it gets no other name and no certificate.
    requireUnfrozen(space);
    requireHosted(space);
    const sentence = 'The host names of your spaces were changed too often in this hour.';
    await requireWithin(tx, `domain:${caller.creatorId}`, changes, sentence);
    const known = await findDomain(tx.db, space.id);
    await tx.enqueue(domainJob, space.id);
    if (known?.host === host && known.state !== 'failed') {
      await changeDomain(tx, known, { due_at: tx.now });
      return { ...known, due_at: tx.now };
    }
    if (known?.live_host) tx.announce('domain', known.live_host);
    const fresh: DomainRow = {
      space_id: space.id,
      host,
      proof: `spaceport-space=${randomBytes(16).toString('hex')}`,
      state: 'waiting',
      reason: null,
      begun_at: tx.now,
      lacking_since: null,
      due_at: tx.now,
      live_host: null,
    };
    await putDomain(tx, fresh);
    return fresh;
  });
  return toDomain(platform, row, slug);
}

/** @throws `not_found` */
export async function removeDomain(platform: Platform, caller: CreatorCaller, slug: string): Promise<void> {
  await platform.database.transaction(async (tx) => {
    const { id } = await lockOwnSpace(tx, slug, caller);
    const gone = await deleteDomain(tx, id);
    if (!gone) throw none(slug);
    await dequeue(tx, domainJob, id);
    if (gone.live_host) tx.announce('domain', gone.live_host);
  });
}

function requireHosted({ hosted, slug }: SpaceRow): void {
  if (hosted === 1) return;
  throw new ServiceError('conflict', `«${slug}» runs elsewhere, so it cannot have a host name here.`);
}

function none(slug: string): ServiceError {
  return new ServiceError('not_found', `«${slug}» has no host name of its own.`, {
    next: (app) => `PUT ${app}/api/spaces/${slug}/domain gives it one.`,
  });
}

function toDomain({ urls, clock }: Platform, row: DomainRow, slug: string): Domain {
  const { host, proof, state, reason, begun_at, due_at } = row;
  const target = new URL(urls.live(slug)).hostname;
  return {
    host,
    state,
    since: new Date(begun_at).toISOString(),
    looking: due_at !== null && due_at <= clock.now(),
    records: [...recordsFor({ host, proof, target })],
    ...(reason === null ? {} : { reason }),
  };
}
