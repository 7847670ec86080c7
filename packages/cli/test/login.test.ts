import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { runCli } from './run-cli.ts';

/** For terminals that show the output of a command only after it has ended. */
describe('spaceport login in two commands', () => {
  let service: TestService;
  let ada: SignedUp;
  let folder: string;
  before(async () => {
    service = await startService();
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spaceport-login-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const kept = () => join(folder, '.config/spaceport/started-logins.json');
  async function login(...words: string[]) {
    const env = { SPACEPORT_SERVER: service.baseUrl };
    const ended = await runCli(['login', ...words, '--json'], { cwd: folder, env });
    return { code: ended.code, stderr: ended.stderr, document: JSON.parse(ended.stdout) };
  }
  const decide = (code: string, decision: string) => ada.post('/device', { user_code: code, decision });

  test('prints link and code with --start, and signs in with --finish once they are approved', async () => {
    const started = await login('--start', '--scopes', 'publish');
    assert.equal(started.code, 0, started.stderr);
    const { url, code, next } = started.document;
    assert.equal(url, `${service.baseUrl}/device?user_code=${code}`);
    assert.match(next, /login --finish/u);
    assert.equal(statSync(kept()).mode & 0o777, 0o600);

    await decide(code, 'approve');
    const finished = await login('--finish');
    assert.equal(finished.code, 0, finished.stderr);
    assert.deepEqual([finished.document.creator.handle, finished.document.scopes], ['ada', ['publish']]);
    assert.ok(!existsSync(kept()));
  });

  test('says how to begin when --finish comes without a start or after a refusal', async () => {
    const early = await login('--finish');
    assert.deepEqual([early.code, early.document.error.code], [exitCodes.invalid, 'no_login']);
    assert.match(early.document.error.next, /login --start/u);

    await decide((await login('--start')).document.code, 'deny');
    const refused = await login('--finish');
    assert.deepEqual([refused.code, refused.document.error.code], [exitCodes.notAllowed, 'access_denied']);
    assert.equal((await login('--finish')).document.error.code, 'no_login');
  });

  test('refuses options that do not go together before any request', async () => {
    for (const words of [
      ['--start', '--finish'],
      ['--start', '--token', 'x'],
      ['--finish', '--scopes', 'publish'],
      ['--finish', '--space', 'moth'],
    ]) {
      const { code, document } = await login(...words);
      assert.deepEqual([code, document.error.code], [exitCodes.usage, 'usage'], words.join(' '));
    }
  });
});
