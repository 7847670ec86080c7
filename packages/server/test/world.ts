import assert from 'node:assert/strict';
import { createClient } from '@spaceport/client/client';
import sharp from 'sharp';
import { hashGuestKey } from '../src/guests/guests.ts';
import type { Db } from '../src/platform/db/schema.ts';
import { newId } from '../src/platform/secrets/id.ts';
import { fileEntries, listing, publishFiles } from './files.ts';
import { letIn, oauthCalls } from './oauth.ts';
import { browser } from './owning-player.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor, playing } from './played.ts';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';
import { type SignedUp, signUp, visitor } from './visitor.ts';

/** A creator with a space, the players in it, and something of every kind that people have. */
export interface World {
  readonly owner: SignedUp;
  readonly handle: string;
  readonly slug: string;
  /** The label of a preview of the space. */
  readonly preview: string;
  readonly player: PlayingVisitor & {
    readonly handle: string;
    readonly email: string;
    readonly password: string;
  };
  readonly guest: ReturnType<typeof guestPlayer>;
  /** The handle of a player whom the creator has banned. */
  readonly banned: string;
  /** The address of a page to which the space can move. */
  readonly page: string;
  /** The ids of an account and a guest who have played the same in the space. */
  readonly witnesses: readonly string[];
  readonly claim: string;
  /** Makes a call with the creator's token. @throws an error if it fails */
  own(method: string, path: string, body?: unknown): Promise<RawAnswer>;
  /** Sends a picture as the cover of the space. @throws an error if it fails */
  cover(): Promise<RawAnswer>;
}

/** What the service under test needs, besides room for the calls. */
export interface Surroundings {
  /** The address of something that takes webhooks. */
  readonly receiver: string;
  /** The address of a page to which a space can move. */
  readonly page: string;
}

/** @throws an error if anything cannot be made */
export async function makeWorld(
  service: TestService,
  name: string,
  { receiver, page: movedTo }: Surroundings,
): Promise<World> {
  const { db } = service.service.platform.database;
  const owner = await signUp(service, { handle: `${name}_owner` });
  const { email, password } = owner;
  ok(await visitor(service).call('POST', '/api/account/sign-in', { email, password }));
  const scopes = ['publish', 'boards', 'moderate'];
  const made = ok(await owner.call('POST', '/api/account/tokens', { name: 'A server', scopes }));
  const { token } = made.json();
  const authorization = `Bearer ${token}`;
  const own: World['own'] = async (method, path, body) =>
    ok(await service.anonymous.call(method, path, body, { authorization }));
  for (const isLetIn of [true, false]) {
    const login = ok(await service.anonymous.call('POST', '/api/agent/login', { client_name: name }));
    const { user_code } = login.json();
    if (isLetIn)
      ok(await owner.call('POST', '/api/account/device/decision', { user_code, decision: 'approve' }));
  }
  const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: 'teal' } });
  const png = await picture.png().toBuffer();
  const cover = async () =>
    ok(
      await service.get(`${service.baseUrl}/api/spaces/${slug}/cover`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'image/png' },
        body: png,
      }),
    );
  const oauth = oauthCalls(() => service);
  await letIn(owner, oauth.begin(await oauth.newClient(name)).path);

  // No file is that of another world.
  const page = `<!doctype html><title>${name}</title><h1>${name}</h1>`;
  const client = createClient({ baseUrl: service.baseUrl, token, retry: false });
  const { slug } = (await publishFiles({ client }, { 'index.html': page }, {}, { live: true })).space;
  await service.settle();
  const declared = {
    boards: [{ key: 'points' }, { key: 'more' }],
    stats: [{ key: 'jumps', op: 'add' as const }, { key: 'unused' }],
    achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 1 } }, { key: 'idle' }],
  };
  const space = `/api/spaces/${slug}`;
  await own('PUT', `${space}/boards`, { boards: declared.boards });
  await own('PUT', `${space}/achievements`, {
    stats: declared.stats,
    achievements: declared.achievements,
  });
  const files = { 'index.html': `${page} next` };
  const tried = await publishFiles({ client }, files, { space: slug, ...declared });
  const preview = new URL(tried.previewUrl ?? '').hostname.split('.')[0] ?? '';
  await own('PUT', `${space}/webhooks`, {
    webhooks: [{ url: `${receiver}/${name}`, events: ['report.opened'] }],
  });
  await own('PATCH', space, { tags: ['moons', name] });
  await cover();
  await own('PUT', `${space}/domain`, { host: `${name}.games.example` });
  await own('PUT', `${space}/error-mails`, { on: true });

  const handles = { player: `${name}_player`, banned: `${name}_banned` };
  const signedUp = await signUp(service, { handle: handles.player });
  const player = { ...signedUp, ...playing(signedUp), handle: handles.player };
  const guest = guestPlayer(service);
  const [witness, strange] = [await accountPlayer(service, `${name}_witness`), guestPlayer(service)];
  const outcast = await accountPlayer(service, handles.banned);
  for (const who of [player, guest, outcast, witness, strange]) {
    await play(who, slug, 1);
    await play(who, preview, 2);
  }
  await insertPasskeys(db, `${name}_owner`);
  const witnesses = [
    ...(await db.selectFrom('creators').select('id').where('handle', '=', `${name}_witness`).execute()),
    ...(await db
      .selectFrom('guests')
      .select('id')
      .where('key_hash', '=', hashGuestKey(strange.key))
      .execute()),
  ].map(({ id }) => id);
  assert.equal(witnesses.length, 2);
  await own('POST', `${space}/bans`, { handle: handles.banned });
  const { secret } = (await own('POST', `${space}/secret`)).json();
  const post = { board: 'points', player: handles.player, score: 3 };
  const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'once' };
  ok(await service.anonymous.call('POST', '/api/v1/scores', post, headers));
  ok(await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' }));
  const operator = await service.creator(undefined, { operator: true });
  const block = { host: `${name}.blocked.example`, reason: 'To see what happens.' };
  ok(await operator.call('POST', '/api/operator/blocks', block));
  const unlisted = { fields: listing, files: fileEntries({ 'index.html': `${page} unlisted` }) };
  const claim = ok(await service.anonymous.call('POST', '/api/v1/hosting/versions', unlisted));
  await service.settle();
  // Whoever reads what was gathered in memory has it written.
  for (const what of ['errors', 'telemetry']) await own('GET', `${space}/${what}`);
  return {
    ...{ owner, handle: `${name}_owner`, slug, preview, player, guest, own, cover },
    ...{ banned: handles.banned, witnesses, page: movedTo },
    claim: claim.json().claimToken,
  };
}

/** Only a browser can make passkeys. */
async function insertPasskeys(db: Db, handle: string): Promise<void> {
  const { id } = await db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  for (const name of ['first', 'second'])
    await db
      .insertInto('auth_passkeys')
      .values({
        id: newId('psk'),
        name,
        public_key: 'none',
        creator_id: id,
        credential_id: `${handle}_${name}`,
        counter: 0,
        device_type: 'singleDevice',
        backed_up: 0,
        transports: null,
        created_at: 1,
        aaguid: null,
      })
      .execute();
}

/** Leaves something of every kind in a space: scores, progress, saves with a conflict, content, likes, errors. */
async function play(who: PlayingVisitor, space: string, version: number): Promise<void> {
  const session = await who.session(space, version);
  ok(await who.post('scores', { session, board: 'points', score: 1 }));
  ok(await who.post('scores', { session, board: 'points', score: 2 }, { 'idempotency-key': 'again' }));
  const { run } = await who.run(session, 'more');
  const replay = Buffer.from(`keys of ${space}`).toString('base64');
  ok(await who.post('scores', { run, board: 'more', score: 2, replay }));
  ok(await who.post('stats', { session, stat: 'jumps', by: 2 }));
  for (const slot of ['main', 'other']) {
    const path = `/api/player/saves/${slot}?space=${space}`;
    ok(await who.call('PUT', path, { data: 'stands', device: 'A' }));
    assert.equal((await who.call('PUT', path, { data: 'lost', device: 'B' })).status, 409);
  }
  for (const data of [1, 2]) {
    const item = await who.call('POST', '/api/player/content', { space, kind: 'level', data });
    // Content is of accounts alone.
    if (item.status === 403) continue;
    ok(await who.call('PUT', `/api/player/content/${ok(item).json().id}/like?space=${space}`));
  }
  const opened = ok(await who.call('POST', '/api/player/sessions', { space, version }, browser)).json();
  const errors = [{ message: `x is not a function of ${space}` }];
  ok(await who.post('errors', { session: opened.session, errors }, browser));
  ok(await who.post('plays', { session: opened.session, part: 0, seconds: 9 }, browser));
}

/** @throws an error if the call has failed */
export function ok(answer: RawAnswer): RawAnswer {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text()}`);
  return answer;
}
