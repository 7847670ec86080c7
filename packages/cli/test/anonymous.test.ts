import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileEntries } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { runCli } from './run-cli.ts';

const versions = '/api/v1/hosting/versions';

/** Runs the command as a user does, against the real service. */
describe('spaceport publish --anonymous', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000', ANONYMOUS_MAX_FILE_BYTES: '100000' },
    });
  });
  after(() => service.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spaceport-anonymous-'));
    mkdirSync(join(folder, 'game'));
    write('game/index.html', '<!doctype html><title>Drift &amp; Dive</title><script src="a.js"></script>');
    write('game/a.js', 'document.title += "!"');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const has = (path: string) => existsSync(join(folder, path));
  const kept = () => read('game/.spaceport/claim.json').pages[0];

  function cli(args: string[], env: Record<string, string> = {}) {
    return runCli(args, { cwd: folder, env: { SPACEPORT_SERVER: service.baseUrl, ...env } });
  }
  async function json(args: string[], env?: Record<string, string>) {
    const { code, stdout, stderr } = await cli([...args, '--json'], env);
    return { code, stderr, document: JSON.parse(stdout) };
  }
  const anonymously = (...more: string[]) => json(['publish', 'game', '--anonymous', ...more]);
  const as = ({ token }: Persona, ...more: string[]) =>
    json(['publish', 'game', ...more], { SPACEPORT_TOKEN: token });
  const textOf = async (url: string) => (await service.get(url)).text();
  /** Claims the page as the web page does. */
  async function claim(creator: Persona) {
    const files = fileEntries({ 'index.html': 'x' });
    const answer = await creator.call('POST', versions, { files, claim: kept().claimToken });
    assert.equal(answer.status, 201, answer.text());
    return answer.json().space.slug as string;
  }

  test('makes a page from the folder alone, prints its claim link, and stores the token for its owner only', async () => {
    const { code, stdout, stderr } = await cli(['publish', './game', '--anonymous']);
    assert.equal(code, 0, stderr);
    const { server, slug, pageUrl, expiresAt, claimToken } = kept();
    assert.equal(server, service.baseUrl);
    assert.equal(pageUrl, `${service.baseUrl}/s/${slug}`);
    assert.match(claimToken, /^sp_claim_/u);
    assert.ok(stdout.includes(`  Page     ${pageUrl}\n  Preview  http://p--`), stdout);
    assert.ok(stdout.includes(`  Claim    ${service.baseUrl}/claim#${claimToken}\n`), stdout);
    assert.ok(stdout.includes(`ends on ${expiresAt.slice(0, 16).replace('T', ' ')} UTC`), stdout);
    assert.match(stderr, /published as “Drift & Dive” \(game; desktop\)/u);
    assert.doesNotMatch(stderr, /sp_claim_/u);
    assert.equal(statSync(join(folder, 'game/.spaceport/claim.json')).mode & 0o777, 0o600);
    assert.match(readFileSync(join(folder, 'game/.spaceport/.gitignore'), 'utf8'), /^\*$/mu);
    assert.ok(!has('game/service.json'));
    const opened = await service.anonymous.call('GET', '/api/v1/hosting/claim', undefined, {
      'x-service-claim': claimToken,
    });
    assert.deepEqual(opened.json(), { pageUrl, expiresAt });
  });

  test('updates the same page, even when an API token is set, and gives scripts all fields', async () => {
    const first = (await anonymously()).document;
    const { claimToken, expiresAt, pageUrl } = kept();
    assert.deepEqual(
      [first.outcome, first.claimUrl, first.claimToken, first.expiresAt, first.pageUrl],
      ['preview', `${service.baseUrl}/claim#${claimToken}`, claimToken, expiresAt, pageUrl],
    );
    assert.match(await textOf(first.previewUrl), /Drift/u);
    assert.match(await textOf(first.previewPageUrl), /src="http:\/\/p--/u);
    write('game/index.html', '<title>Second</title>');
    const creator = await service.creator();
    const second = (await as(creator, '--anonymous')).document;
    assert.deepEqual(
      [second.version.number, second.space, second.claimUrl, second.uploaded.files],
      [2, first.space, first.claimUrl, 1],
    );
    assert.match(await textOf(second.space.url), /Second/u);
  });

  test('reads service.json and does not change it', async () => {
    const settings = { space: 'somewhere', title: 'Named', space_type: 'toy', devices: ['mobile'] };
    write('game/service.json', JSON.stringify(settings));
    const { code, stderr } = await anonymously();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /"somewhere" of service\.json needs an account/u);
    assert.doesNotMatch(stderr, /published as/u);
    assert.deepEqual(read('game/service.json'), settings);
  });

  test('prints the findings of the safety check, and has its exit code for a harmful page', async () => {
    write('game/index.html', '<title>Drift</title><script src="absent.js"></script>');
    const found = await anonymously();
    assert.equal(found.code, 0, found.stderr);
    assert.deepEqual(
      found.document.report.findings.map(({ rule }: { rule: string }) => rule),
      ['entry-problems'],
    );
    write('game/index.html', '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">');
    const { code, stdout } = await cli(['publish', 'game', '--anonymous']);
    assert.equal(code, exitCodes.refused);
    assert.match(stdout, /^Refused: version 2, without an account: nobody is shown it\n {2}\S/u);
    assert.match(stdout, /refuse: index\.html: .*elsewhere\.example.*\n {4}Fix: /u);
    assert.match(await textOf(found.document.space.url), /Drift/u);
  });

  test('is followed by `status` in its folder, which reads the versions of the page', async () => {
    const first = await cli(['publish', 'game', '--anonymous', '--no-wait']);
    assert.match(first.stdout, /See how the check went, in the page's folder: .*status\n/u);
    write('game/a.js', 'document.title += "?"');
    const { document } = await anonymously();
    const here = { cwd: join(folder, 'game'), env: { SPACEPORT_SERVER: service.baseUrl } };
    const newest = await runCli(['status'], here);
    assert.equal(newest.code, 0, newest.stderr);
    assert.match(newest.stdout, /^Version 2: preview\n {2}Page {5}http/u);
    assert.match((await runCli(['status', '1'], here)).stdout, /^Version 1: preview\n/u);
    const byId = await runCli(['status', document.version.id, '--json'], here);
    assert.equal(JSON.parse(byId.stdout).number, 2);

    const { token } = await service.creator();
    const signedIn = { ...here, env: { ...here.env, SPACEPORT_TOKEN: token } };
    assert.match((await runCli(['status'], signedIn)).stdout, /^Version 2: preview\n/u);
    const absent = await runCli(['status', '9'], here);
    assert.equal(absent.code, exitCodes.invalid);
    assert.match(absent.stderr, /has published no version 9 of http/u);
    for (const words of [['versions'], ['preview', '2'], ['review', '2'], ['rollback', '1']]) {
      const { code, stderr } = await runCli(words, here);
      assert.equal(code, exitCodes.usage, words.join(' '));
      assert.match(stderr, /This folder's page has no account\.\nClaim the page, or sign in/u);
    }
  });

  test('says how to sign in where an account may publish more', async () => {
    write('game/large.bin', 'x'.repeat(100_001));
    for (const more of [[], ['--dry-run']]) {
      const { code, document } = await anonymously(...more);
      assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'too_large']);
      assert.match(
        document.error.next,
        /sign in \(spaceport login\), and publish again without --anonymous/u,
      );
    }
  });

  test('makes no page in a dry run', async () => {
    const { code, document } = await anonymously('--dry-run');
    assert.deepEqual([code, document.dryRun, document.missing.files], [0, true, 2]);
    assert.ok(!has('game/.spaceport/claim.json'));
  });

  test('refuses --live before anything is sent', async () => {
    const nowhere = { SPACEPORT_SERVER: 'http://127.0.0.1:9' };
    const { code, document } = await json(['publish', 'game', '--anonymous', '--live'], nowhere);
    assert.deepEqual([code, document.error.code], [exitCodes.notAllowed, 'sign_in_required']);
    assert.match(document.error.message, /needs an account/u);
    assert.equal((await anonymously('--space', 'x')).code, exitCodes.usage);
  });

  test('is suggested by a publish without a token', async () => {
    const { code, stderr } = await cli(['publish', 'game']);
    assert.equal(code, exitCodes.notAllowed);
    assert.match(stderr, /publish without an account: --anonymous/u);
  });

  test('is followed by a publish with an account, which claims the page and forgets the token', async () => {
    await anonymously();
    const { pageUrl } = kept();
    const creator = await service.creator();
    const dry = await as(creator, '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.equal((await anonymously()).document.pageUrl, pageUrl, 'a dry run claims nothing');

    const claimed = await as(creator);
    assert.equal(claimed.code, 0, claimed.stderr);
    assert.match(claimed.stderr, /Publishing moves the page http\S+ to your account/u);
    const { slug } = claimed.document.space;
    assert.match(slug, /^drift-dive/u);
    assert.deepEqual([claimed.document.version.number, claimed.document.claimToken], [3, undefined]);
    assert.equal(claimed.document.uploaded.files, 0, 'what was sent before is the account’s');
    assert.equal(read('game/service.json').space, slug);
    assert.ok(!has('game/.spaceport/claim.json'));
    assert.equal((await as(creator)).document.version.number, 4);
  });

  test('says that the page was claimed elsewhere, and its account can publish to it', async () => {
    await anonymously();
    const creator = await service.creator();
    const slug = await claim(creator);
    const spent = await anonymously();
    assert.deepEqual([spent.code, spent.document.error.code], [exitCodes.invalid, 'claim_spent']);
    assert.match(spent.document.error.next, /sign in as that account .* publish without --anonymous/u);

    const stranger = await as(await service.creator());
    assert.deepEqual([stranger.code, stranger.document.error.code], [exitCodes.invalid, 'claim_not_found']);
    assert.match(stranger.document.error.next, /sign in as that account/u);

    const own = await as(creator);
    assert.deepEqual([own.code, own.document.space.slug], [0, slug]);
    assert.equal(read('game/service.json').space, slug);
    assert.ok(!has('game/.spaceport/claim.json'));
  });

  test('keeps the claim when a space is published to by name', async () => {
    const creator = await service.creator();
    const settings = { title: 'Named', space_type: 'game', devices: ['desktop'] };
    write('game/service.json', JSON.stringify(settings));
    const { slug } = (await as(creator)).document.space;
    await anonymously();
    const { claimToken } = kept();
    const { document, stderr } = await as(creator);
    assert.equal(document.space.slug, slug);
    assert.match(stderr, /stays a page without an account/u);
    assert.equal(kept().claimToken, claimToken);
  });

  test('keeps the claims of pages at other services', async () => {
    await anonymously();
    const elsewhere = { ...kept(), server: 'https://elsewhere.example' };
    write('game/.spaceport/claim.json', JSON.stringify({ pages: [elsewhere] }));
    const { document } = await anonymously();
    assert.notEqual(document.claimToken, elsewhere.claimToken);
    const pages = read('game/.spaceport/claim.json').pages;
    assert.deepEqual([pages[0], pages[1].claimToken], [elsewhere, document.claimToken]);
    assert.equal((await as(await service.creator())).code, 0);
    assert.deepEqual(read('game/.spaceport/claim.json').pages, [elsewhere]);
  });

  test('does not overwrite an invalid claim.json', async () => {
    mkdirSync(join(folder, 'game/.spaceport'));
    write('game/.spaceport/claim.json', '{"claimToken":');
    const { code, document } = await anonymously();
    assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'bad_claim']);
    assert.doesNotMatch(document.error.message, /claimToken/u);
  });

  test('makes a new page when the service does not know the claim', async () => {
    await anonymously();
    const page = kept();
    const unknown = `${page.claimToken.slice(0, -4)}AAAA`;
    write('game/.spaceport/claim.json', JSON.stringify({ pages: [{ ...page, claimToken: unknown }] }));
    const { code, stderr } = await anonymously();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /does not know the page http\S+ any more\. A new page is made\./u);
    assert.notEqual(kept().slug, page.slug);
  });

  // This test is the last, because the clock only goes forward.
  test('makes a new page a week later, with or without an account', async () => {
    const creator = await service.creator();
    await anonymously();
    const old = kept();
    service.clock.advance({ days: 7, seconds: 1 });
    const { code, stderr, document } = await anonymously();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /has ended: nobody claimed it by 20\d\d-.* UTC\. A new page is made\./u);
    assert.notEqual(document.pageUrl, old.pageUrl);
    assert.deepEqual([kept().pageUrl, kept().claimToken], [document.pageUrl, document.claimToken]);

    service.clock.advance({ days: 7, seconds: 1 });
    const listing = ['--title', 'Late', '--type', 'game', '--devices', 'desktop'];
    const late = await as(creator, ...listing);
    assert.equal(late.code, 0, late.stderr);
    assert.match(late.stderr, /has ended: .* published as a new space/u);
    assert.deepEqual([late.document.version.number, has('game/.spaceport/claim.json')], [1, false]);
  });
});
