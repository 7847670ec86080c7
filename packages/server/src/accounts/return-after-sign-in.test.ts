import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { linkIn, mailsTo, signUp, tokenOf, visitor } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

/** Returns the addresses of a page's links with this text. */
function linksOf(text: string, label: string): string[] {
  const links = [...text.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([^<]*)<\/a>/gu)];
  return links.flatMap(([, href = '', shown]) => (shown === label ? [href.replaceAll('&amp;', '&')] : []));
}

const nextOf = (link: string | undefined) =>
  new URL(link ?? '', 'http://own.invalid').searchParams.get('next');

describe('the page that opens after signing in', () => {
  let service: TestService;
  let game: string;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    game = `/s/${(await publishLive(service, await service.creator('maker'))).space.slug}`;
  });
  after(() => service.close());

  const device = async () =>
    (await service.anonymous.call('POST', '/api/agent/login', {})).json().user_code as string;

  it('returns to the game page where it began, by signing up or in, without script', async () => {
    const who = visitor(service);
    const page = (await who.get(game)).text();
    const [up, ...others] = linksOf(page, 'Sign up');
    assert.deepEqual(others, []);
    assert.equal(nextOf(up), game);
    // From one page to the other and back: there are links in the head line and below the form.
    const signUpPage = (await who.get(up ?? '')).text();
    const ins = linksOf(signUpPage, 'Sign in');
    assert.equal(ins.length, 2);
    for (const link of ins) {
      assert.equal(nextOf(link), game);
      const signInPage = (await who.get(link)).text();
      for (const label of ['Sign up', 'Make an account'])
        assert.equal(nextOf(linksOf(signInPage, label)[0]), game, label);
    }
    const form = { email: 'back@example.org', password: 'a long password', next: game };
    const wrong = await who.post('/sign-in', form);
    assert.equal(nextOf(linksOf(wrong.text(), 'Sign up')[0]), game);
    const made = await who.post('/sign-up', { ...form, name: 'Ada' });
    assert.equal(nextOf(made.headers.location), game);
    const chosen = await who.post('/handle', { handle: 'back', next: game });
    assert.equal(chosen.headers.location, game);
    assert.equal((await visitor(service).post('/sign-in', form)).headers.location, game);
  });

  it('keeps a device code through every link, also when the session ended meanwhile', async () => {
    const code = await device();
    const here = `/device?user_code=${code}`;
    const who = visitor(service);
    const first = (await who.get(here)).headers.location ?? '';
    assert.equal(nextOf(first), here);
    const page = (await who.get(first)).text();
    for (const link of [...linksOf(page, 'Sign up'), ...linksOf(page, 'Make an account')])
      assert.equal(nextOf(link), here);
    const ended = await who.post('/device', { user_code: code, decision: 'approve' });
    assert.equal(nextOf(ended.headers.location), here);
    const newcomer = await signUp(service);
    const [handle] = linksOf((await newcomer.get(here)).text(), 'choose one');
    assert.equal(nextOf(handle), here);
  });

  it('is the front page if no page was asked for', async () => {
    const { email, password } = await signUp(service, { handle: 'anywhere' });
    assert.equal((await visitor(service).post('/sign-in', { email, password })).headers.location, '/');
  });

  it('is the page whose form was sent after the session had ended', async () => {
    const referer = `${service.baseUrl}/dashboard?deleted=1`;
    const ended = await visitor(service).post('/settings/name', { name: 'Ada' }, { referer });
    assert.equal(nextOf(ended.headers.location), '/dashboard?deleted=1');
  });

  it('is kept in the browser while a password is reset, and never in the mail', async () => {
    const { email } = await signUp(service);
    const who = visitor(service);
    const signInPage = (await who.get(`/sign-in?${new URLSearchParams({ next: game })}`)).text();
    const [reset = ''] = linksOf(signInPage, 'Forgot your password?');
    const form = await who.get(reset);
    assert.equal(nextOf(linksOf(form.text(), 'Back to signing in')[0]), game);
    const sent = await who.post('/reset', { email, next: game });
    assert.equal(nextOf(linksOf(sent.text(), 'Back to signing in')[0]), game);
    const [mail] = (await mailsTo(service, email)).filter((text) => text.includes('Choose a new password'));
    const link = linkIn(mail);
    assert.ok(!decodeURIComponent(link).includes(game));
    await who.get(link);
    const password = 'another long password';
    const done = await who.post('/reset/new', { token: tokenOf(link), password });
    const last = (await who.get(done.headers.location ?? '')).text();
    assert.match(last, new RegExp(`name="next" value="${game}"`, 'u'));
    const elsewhere = (await visitor(service).get(done.headers.location ?? '')).text();
    assert.match(elsewhere, /name="next" value="\/"/u);
  });

  it('never leads to another site, whatever the link says', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const page = (await visitor(service).get(`/sign-in?${new URLSearchParams({ next })}`)).text();
      for (const link of linksOf(page, 'Sign up')) assert.equal(nextOf(link), '/');
      assert.doesNotMatch(page, /(?:href|value|action)="[^"]*evil/u, next);
    }
  });

  it('leads a creator from their own space to its settings, and nobody else', async () => {
    const ada = await signUp(service, { handle: 'ada' });
    const created = await ada.call('POST', '/api/v1/hosting/versions', {
      fields: { title: 'Mine', space_type: 'game', devices: ['desktop'] },
      files: [{ path: 'index.html', size: 1, sha256: '0'.repeat(64) }],
    });
    const { slug } = created.json().space;
    assert.deepEqual(linksOf((await ada.get(`/s/${slug}`)).text(), 'Manage'), [`/dashboard/${slug}`]);
    const stranger = await signUp(service, { handle: 'stranger' });
    assert.deepEqual(linksOf((await stranger.get(`/s/${slug}`)).text(), 'Manage'), []);
  });
});
