import assert from 'node:assert/strict';
import { deviceCalls } from './device.ts';
import { letIn, oauthCalls } from './oauth.ts';
import type { TestService } from './service.ts';
import { linkIn, mailsTo, tokenOf, type Visitor, visitor } from './visitor.ts';
import { ok, type World } from './world.ts';

const reason = { reason: 'To see what happens.' };

/** Each succeeds, or throws. */
export type Deeds = Record<string, () => Promise<unknown>>;

/** Returns what the creator of a world can do, and operators to its space, by name, in this order. */
export function creatorsDeeds(service: TestService, world: World): Deeds {
  return { ...spaceDeeds(world), ...accountDeeds(service, world) };
}

/** Makes a call of a page. @throws an error if it fails */
async function by({ call }: Pick<Visitor, 'call'>, ...sent: Parameters<Visitor['call']>) {
  return ok(await call(...sent));
}

/** Returns what a player can do, and what is done to single players, by name, in this order. */
export function playersDeeds(
  service: TestService,
  { player, guest, banned, slug, preview, own }: World,
): Deeds {
  const space = `/api/spaces/${slug}`;
  const operator = operatorsCall(service);
  const save = (slot: string) => `/api/player/saves/${slot}?space=${slug}`;
  const losers = async () => (await by(player, 'GET', '/api/player/me')).json().losers;
  const items = async (space: string) =>
    (await by(player, 'GET', `/api/player/content?space=${space}&kind=level&mine=true`)).json().items;
  return {
    'a save that is lost again': async () => {
      const answer = await player.call('PUT', save('main'), { data: 'lost', device: 'B' });
      assert.equal(answer.status, 409, answer.text());
    },
    'restoring a lost save': async () => {
      const [lost] = await losers();
      return by(player, 'POST', `/api/player/me/losers/${lost.id}/restore`);
    },
    'deleting a lost save': async () => {
      const [lost] = await losers();
      return by(player, 'DELETE', `/api/player/me/losers/${lost.id}`);
    },
    'deleting a save': async () => {
      const { version } = (await by(player, 'GET', save('main'))).json();
      return by(player, 'DELETE', save('main'), undefined, { 'if-match': `"${version}"` });
    },
    'taking a like back': async () => {
      const [item] = await items(slug);
      return by(player, 'DELETE', `/api/player/content/${item.id}/like?space=${slug}`);
    },
    'deleting content': async () => {
      const [item] = await items(slug);
      return by(player, 'DELETE', `/api/player/content/${item.id}?space=${slug}`);
    },
    'hiding plays': () => by(player, 'PATCH', '/api/player/me', { public: false }),
    'adopting a guest': () => by(player, 'POST', '/api/player/adopt', { guest_key: guest.key }),
    'playing on': async () => {
      for (const [space, version] of [
        [slug, 1],
        [preview, 2],
      ] as const) {
        const session = await player.session(space, version);
        ok(await player.post('stats', { session, stat: 'jumps', by: 2 }));
        ok(await player.post('scores', { session, board: 'points', score: 9 }));
      }
    },
    'a ban': () => own('POST', `${space}/bans`, { handle: player.handle }),
    'a lifted ban': () => own('DELETE', `${space}/bans`, { handle: player.handle }),
    'deleted scores': () => own('DELETE', `${space}/scores`, { player: banned, dry_run: false }),
    'a sandbox reset for one player': () =>
      own('POST', `/api/v1/hosting/spaces/${slug}/reset`, { player: player.handle }),
    'a banned player': () => operator('POST', `/accounts/${player.handle}/ban`, reason),
    'a player who is let in again': () => operator('POST', `/accounts/${player.handle}/unban`, reason),
    'a forgotten player': async () => {
      const again = visitor(service);
      await by(again, 'POST', '/api/account/sign-in', { email: player.email, password: player.password });
      await by(again, 'DELETE', '/api/player/me');
    },
  };
}

function operatorsCall(service: TestService) {
  return async (method: string, path: string, body?: unknown) => {
    const { call } = await service.creator(undefined, { operator: true });
    return ok(await call(method, `/api/operator${path}`, body));
  };
}

function spaceDeeds({ own, cover, slug, page }: World): Deeds {
  const space = `/api/spaces/${slug}`;
  const hosting = `/api/v1/hosting/spaces/${slug}`;
  const webhook = async () => (await own('GET', `${space}/webhooks`)).json().webhooks[0].id;
  return {
    'editing a space': () => own('PATCH', space, { title: 'Another', tags: ['moons'] }),
    'another cover': cover,
    'a cover taken off': () => own('DELETE', `${space}/cover`),
    'resolving an error': async () => {
      const { errors } = (await own('GET', `${space}/errors`)).json();
      await own('PATCH', `${space}/errors/${errors[0].id}`, { resolved: true });
    },
    'no mails of errors': () => own('PUT', `${space}/error-mails`, { on: false }),
    'a test of a webhook': async () => own('POST', `${space}/webhooks/${await webhook()}/test`),
    'an event sent again': async () => {
      const path = `${space}/webhooks/${await webhook()}/deliveries`;
      const { deliveries } = (await own('GET', path)).json();
      await own('POST', `${path}/${deliveries[0].id}`);
    },
    'another list of webhooks': async () => {
      const { webhooks } = (await own('GET', `${space}/webhooks`)).json();
      const changed = { url: webhooks[0].url, events: ['version.live'] };
      await own('PUT', `${space}/webhooks`, { webhooks: [changed] });
    },
    'no webhooks': () => own('PUT', `${space}/webhooks`, { webhooks: [] }),
    'no host name': () => own('DELETE', `${space}/domain`),
    'another secret': () => own('POST', `${space}/secret`),
    'a board of another order': () =>
      own('PUT', `${space}/boards`, { boards: [{ key: 'points', sort: 'asc', periods: ['all', 'day'] }] }),
    'a deleted board': () => own('DELETE', `${space}/boards/more`),
    'another stat and achievement': () =>
      own('PUT', `${space}/achievements`, {
        stats: [{ key: 'jumps', label: 'Jumps', op: 'add' }],
        achievements: [{ key: 'idle', title: 'Idle' }],
      }),
    'a deleted stat': () => own('DELETE', `${space}/stats/unused`),
    'a deleted achievement': () => own('DELETE', `${space}/achievements/jumper`),
    'a deleted score': async () => {
      const { entries } = (await own('GET', `/api/gallery/${slug}/boards/points/entries`)).json();
      await own('DELETE', `${space}/scores/${entries[0].submission}`);
    },
    'a sandbox reset': () => own('POST', `${hosting}/reset`),
    'a new preview link': async () => {
      const { versions } = (await own('GET', `${hosting}/versions`)).json();
      await own('POST', `/api/v1/hosting/versions/${versions[0].id}/preview`);
    },
    'a deleted version': async () => {
      const { versions } = (await own('GET', `${hosting}/versions`)).json();
      await own('DELETE', `/api/v1/hosting/versions/${versions[0].id}`);
    },
    'a space that moves': () => own('POST', `${space}/move`, { url: page }),
    offline: () => own('POST', `${space}/offline`),
    online: () => own('POST', `${space}/online`),
    'a deleted space': () => own('DELETE', space),
    'a restored space': () => own('POST', `${space}/restore`),
  };
}

function accountDeeds(service: TestService, { owner, handle, claim, slug }: World): Deeds {
  let { password, email } = owner;
  const operator = operatorsCall(service);
  const judged = (act: string) => () => operator('POST', `/spaces/${slug}/${act}`, reason);
  const oauth = oauthCalls(() => service);
  return {
    'a passkey renamed and removed': async () => {
      const [{ id }] = (await by(owner, 'GET', '/api/account/passkeys')).json().passkeys;
      await by(owner, 'PATCH', `/api/account/passkeys/${id}`, { name: 'Renamed' });
      await by(owner, 'DELETE', `/api/account/passkeys/${id}`);
    },
    'a reset password': async () => {
      await by(visitor(service), 'POST', '/api/account/password-reset', { email });
      const token = tokenOf(linkIn((await mailsTo(service, email)).at(-1)));
      password = 'a new password';
      await by(visitor(service), 'POST', '/api/account/password-reset/confirm', { token, password });
      await by(owner, 'POST', '/api/account/sign-in', { email, password });
    },
    'a claimed page': () => by(owner, 'POST', '/api/account/claim', { claim_token: claim }),
    'another name': () => by(owner, 'PATCH', '/api/account', { name: 'Renamed' }),
    'another address': async () => {
      await by(owner, 'POST', '/api/account/email', { email: 'elsewhere@example.org', password });
      email = 'elsewhere@example.org';
      const token = tokenOf(linkIn((await mailsTo(service, email)).at(-1)));
      await by(owner, 'POST', '/api/account/email/confirm', { token });
    },
    'another password': async () => {
      await by(owner, 'POST', '/api/account/password', { current: password, password: 'another password' });
      password = 'another password';
    },
    'a token renamed and revoked': async () => {
      await by(owner, 'POST', '/api/account/tokens', { name: 'Second', scopes: ['publish'] });
      const [{ id }] = (await by(owner, 'GET', '/api/account/tokens')).json().tokens;
      const path = `/api/account/tokens/${id}`;
      await by(owner, 'PATCH', path, { name: 'Renamed' });
      await by(owner, 'DELETE', path);
    },
    'an OAuth code used twice': async () => {
      const { path, fields } = oauth.begin(await oauth.newClient());
      const code = (await letIn(owner, path)).searchParams.get('code') ?? '';
      ok(await oauth.exchange(fields(code)));
      await oauth.exchange(fields(code));
    },
    'a device that is let in': async () => {
      const { start, exchange } = deviceCalls(() => service);
      for (const decision of ['deny', 'approve']) {
        const { user_code, device_code } = await start({ client_name: 'A device' });
        assert.equal((await exchange(device_code)).status, 400);
        service.clock.advance({ seconds: 6 });
        await by(owner, 'POST', '/api/account/device/decision', { user_code, decision });
        assert.equal((await exchange(device_code)).status, decision === 'deny' ? 400 : 200);
      }
    },
    'a wrong code of a device': async () => {
      const wrong = await owner.call('POST', '/api/account/device', { user_code: 'BCDF-GHJK' });
      assert.equal(wrong.status, 404, wrong.text());
    },
    'signing out': async () => {
      const again = visitor(service);
      await by(again, 'POST', '/api/account/sign-in', { email, password });
      await by(again, 'POST', '/api/account/sign-out');
    },
    'an ended session': async () => {
      await by(visitor(service), 'POST', '/api/account/sign-in', { email, password });
      const { sessions } = (await by(owner, 'GET', '/api/account/sessions')).json();
      const other = sessions.find((one: { current: boolean }) => !one.current);
      await by(owner, 'DELETE', `/api/account/sessions/${other.id}`);
    },
    'ended sessions': () => by(owner, 'DELETE', '/api/account/sessions'),
    'a space held': judged('hold'),
    'a space released': judged('release'),
    'a space hidden': judged('hide'),
    'a space shown again': judged('restore'),
    'a host that is no longer blocked': () =>
      operator('DELETE', '/blocks', { host: 'actor.blocked.example', ...reason }),
    'a decided report': async () => {
      const { reports } = (await operator('GET', '/reports')).json();
      const own = reports.find((one: { space: { slug: string } }) => one.space.slug === slug);
      await operator('POST', `/reports/${own.id}`, { action: 'dismiss', note: 'Nothing is wrong.' });
    },
    'a banned creator': () => operator('POST', `/accounts/${handle}/ban`, reason),
    'a creator who is let in again': () => operator('POST', `/accounts/${handle}/unban`, reason),
    'a deleted account': async () => {
      const again = visitor(service);
      await by(again, 'POST', '/api/account/sign-in', { email, password });
      await by(again, 'DELETE', '/api/account', { password });
    },
    'a space that is gone for good': async () => {
      service.clock.advance({ minutes: 5 });
      await service.service.sweep();
    },
  };
}
