import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { issueSecret } from '../src/platform/secrets/secret.ts';
import { zipOf } from './archives.ts';
import { fileEntries, listing, publishFiles, smallGame } from './files.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Persona, TestService } from './service.ts';
import { type SignedUp, signUp } from './visitor.ts';

export const everyOperation: readonly Operation[] = operations;

/** The address of pages to list, for FETCH_ALLOW. Nothing listens there. */
export const closedAddress = '127.0.0.1:9';

type Headers = Record<string, string>;

/** A picture, for operations that take one. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A folder, for operations that take one. */
const smallZip = zipOf(smallGame);

/** Changes to the valid request. */
export interface Change {
  /** Replaces every parameter of the path. */
  readonly part?: string;
  readonly query?: string;
  /** The raw body; null for none. */
  readonly body?: string | null;
  /** Headers besides the credential, or in its place. */
  readonly headers?: Headers;
  /** Replaces the permitted credential; null for none. */
  readonly credential?: Headers | null;
}

/** Makes a valid and permitted request of every operation, on existing objects. */
export interface Everyman {
  readonly creator: Persona;
  readonly visitor: SignedUp;
  /** The id of one of the creator's versions. */
  readonly versionId: string;
  /** Sends a valid request of an operation, with its credential. */
  ask(operation: Operation, change?: Change): Promise<RawAnswer>;
}

/** Operations whose `id` is a submission's. */
const submissionIds: ReadonlySet<string> = new Set(['deleteSubmission', 'readReplay']);

/** Makes an operator with a space and a page without an account, on a service that runs no jobs. */
export async function everyman(service: TestService): Promise<Everyman> {
  const creator = await service.creator('ada', { operator: true });
  const visitor = await signUp(service, { handle: 'grace' });
  const { space, version } = await publishFiles(creator, smallGame);
  const issued = await creator.call('POST', `/api/spaces/${space.slug}/secret`);
  const unlisted = await service.anonymous.call('POST', '/api/v1/hosting/versions', newVersion);
  const { secret } = issued.json();
  const { claimToken } = unlisted.json();

  const byToken = { authorization: `Bearer ${creator.token}` };
  const ownPage = { 'sec-fetch-site': 'same-origin' };
  const credentials: Record<Operation['credential'], () => Headers> = {
    none: () => ownPage,
    own_page: () => ({ ...ownPage, ...cookieOf(visitor) }),
    token: () => byToken,
    token_or_none: () => byToken,
    token_or_claim: () => byToken,
    operator: () => byToken,
    claim: () => ({ 'x-service-claim': claimToken }),
    secret: () => ({ authorization: `Bearer ${secret}` }),
    session: () => ({ ...ownPage, ...cookieOf(visitor) }),
    player: () => ({ ...ownPage, ...cookieOf(visitor) }),
  };
  const bodies = bodiesFor({ slug: space.slug, claimToken, visitor });
  const parts: Record<string, string> = {
    slug: space.slug,
    key: 'points',
    handle: 'ada',
    id: version.id,
    code: 'BCDFG',
  };
  const queries: Record<string, string> = {
    checkHandle: 'handle=eve',
    listRooms: `space=${space.slug}`,
    readRoom: `space=${space.slug}`,
    readSaves: `space=${space.slug}`,
    readSave: `space=${space.slug}`,
    putSave: `space=${space.slug}`,
    deleteSave: `space=${space.slug}`,
    readContent: `space=${space.slug}&kind=level`,
    readContentItem: `space=${space.slug}`,
    removeContent: `space=${space.slug}`,
    likeContent: `space=${space.slug}`,
    unlikeContent: `space=${space.slug}`,
    publishArchive: 'wait=0',
    readPlayedAchievements: `space=${space.slug}`,
    readPlayedScores: `space=${space.slug}&board=points`,
    readOembed: `url=${encodeURIComponent(`${service.baseUrl}/s/${space.slug}`)}`,
  };

  return {
    creator,
    visitor,
    versionId: version.id,
    ask(operation, change = {}) {
      const partOf = (name: string) =>
        change.part ?? (submissionIds.has(operation.id) && name === 'id' ? '1' : parts[name]) ?? name;
      const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => partOf(name));
      const query = change.query ?? queries[operation.id];
      const json = operation.body ? JSON.stringify(bodies[operation.id] ?? {}) : null;
      const [media] = operation.media ?? [];
      const bytes = operation.streams ? smallZip : onePixel;
      const usual = media === undefined ? json : bytes;
      const body = change.body === undefined ? usual : change.body;
      const credential =
        change.credential === undefined ? credentials[operation.credential]() : change.credential;
      return service.get(`${service.baseUrl}${path}${query === undefined ? '' : `?${query}`}`, {
        method: operation.method,
        headers: {
          ...credential,
          ...(media === undefined || body !== bytes ? {} : { 'content-type': media }),
          ...change.headers,
        },
        ...(body === null ? {} : { body }),
      });
    },
  };
}

/** Returns the session cookie of a signed-in person as a header. */
export function cookieOf({ cookies }: SignedUp): Headers {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

const newVersion = { fields: listing, files: fileEntries(smallGame) };

/** Returns a valid body for each operation that needs one. */
function bodiesFor({
  slug,
  claimToken,
  visitor: { email, password },
}: {
  slug: string;
  claimToken: string;
  visitor: SignedUp;
}): Record<string, unknown> {
  const url = `http://${closedAddress}/`;
  const reasoned = { reason: 'To see what happens.' };
  const device = { user_code: 'WDJB-MJHT' };
  return {
    exchangeLogin: { device_code: issueSecret('device') },
    signUp: { name: 'Eve', email: 'eve@example.org', password },
    signIn: { email, password },
    requestPasswordReset: { email },
    resetPassword: { token: 'not-one', password },
    confirmEmail: { token: 'not-one' },
    renameAccount: { name: 'Grace' },
    chooseHandle: { handle: 'evelyn' },
    changeEmail: { email: 'other@example.org', password },
    deleteAccount: { password },
    changePassword: { current: password, password },
    createToken: { name: 'A build server', scopes: ['publish'] },
    changeToken: { name: 'A build server' },
    renamePasskey: { name: 'A key' },
    findDevice: device,
    decideDevice: { ...device, decision: 'deny' },
    claimUnlisted: { claim_token: claimToken },
    listSpace: { ...listing, url },
    listSpaceWithoutOwner: { ...listing, url },
    verifySpace: { slug },
    changeSpace: { title: 'Sun Hopper' },
    moveSpace: { url },
    recaptureSpace: { slug },
    chooseCover: { take: 1 },
    putBoards: { boards: [{ key: 'points' }] },
    putAchievements: { stats: [{ key: 'hops', label: 'Hops' }] },
    deleteSubmissions: { player: 'grace' },
    banPlayer: { handle: 'grace' },
    liftBan: { handle: 'grace' },
    postScores: { board: 'points', player: 'grace', score: 1 },
    postStats: { stat: 'hops', player: 'grace', value: 1 },
    unlockAchievement: { achievement: 'first', player: 'grace' },
    issuePlayerToken: { space: slug },
    adoptGuest: { guest_key: 'g'.repeat(43) },
    changeOwnPlay: { public: true },
    putSave: { data: 1 },
    publishContent: { space: slug, kind: 'level', data: 1 },
    reportContent: { space: slug, reason: 'spam' },
    openPlaySession: { space: slug, version: null },
    enterRoom: { space: slug, how: 'quick' },
    startRun: { session: 'x', board: 'points' },
    reportPlay: { session: 'x', part: 0, seconds: 1 },
    reportErrors: { session: 'x', errors: [{ message: 'x is not a function' }] },
    changeError: { resolved: true },
    setErrorMails: { on: false },
    putDomain: { host: 'games.example' },
    putWebhooks: { webhooks: [{ url, events: ['space.held'] }] },
    submitScore: { session: 'x', board: 'points', score: 1 },
    submitStat: { session: 'x', stat: 'hops', by: 1 },
    submitAchievement: { session: 'x', key: 'first' },
    createVersion: newVersion,
    rollback: { version: 1 },
    reportSpace: { reason: 'spam' },
    decideReview: { decision: 'approve', ...reasoned },
    holdSpace: reasoned,
    releaseSpace: reasoned,
    hideSpace: reasoned,
    removeSpace: reasoned,
    restoreSpace: reasoned,
    blockHost: { host: 'games.example', ...reasoned },
    unblockHost: { host: 'games.example', ...reasoned },
    takeDownFile: { sha256: '0'.repeat(64), ...reasoned },
    giveBackFile: { sha256: '0'.repeat(64), ...reasoned },
    decideReport: { action: 'dismiss', note: 'Nothing is wrong with it.' },
    banAccount: reasoned,
    unbanAccount: reasoned,
  };
}
