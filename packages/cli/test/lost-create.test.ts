import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type LosingProxy, openLosingProxy } from '../../server/test/lost-answers.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { runCli } from './run-cli.ts';

/** Runs the command against the real service, through a proxy that loses its answers. */
describe('spaceport publish, whose create is not answered', () => {
  let service: TestService;
  let proxy: LosingProxy;
  let folder: string;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } });
    proxy = await openLosingProxy(service.baseUrl);
  });
  after(async () => {
    await proxy?.close();
    await service?.close();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spaceport-lost-'));
    mkdirSync(join(folder, 'game'));
    write('<!doctype html><title>Drift</title>');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (page: string) => writeFileSync(join(folder, 'game/index.html'), page);
  const publishing = (token: string | undefined, more: string[]) =>
    runCli(['publish', 'game', '--no-wait', '--json', ...(token ? [] : ['--anonymous']), ...more], {
      cwd: folder,
      env: { SPACEPORT_SERVER: proxy.url, ...(token !== undefined && { SPACEPORT_TOKEN: token }) },
    });
  const publish = async (token: string | undefined, ...more: string[]) => {
    const { code, stdout } = await publishing(token, more);
    return { code, document: JSON.parse(stdout) };
  };
  const loseCreates = () => {
    proxy.lose = (_method, path) => (path === '/api/v1/hosting/versions' ? 'cut' : null);
  };
  const state = (name: string) => join(folder, 'game/.spaceport', name);
  const spaces = async () => {
    const { db } = service.service.platform.database;
    return (await db.selectFrom('spaces').select('slug').execute()).map(({ slug }) => slug);
  };

  test('goes on with what the last publish of the folder has made', async () => {
    const { token } = await service.creator();
    for (const who of [token, undefined]) {
      const before = await spaces();
      loseCreates();
      const lost = await publish(who);
      assert.equal(lost.code, exitCodes.unavailable);
      assert.equal((await spaces()).length, before.length + 1);
      assert.equal(statSync(state('resume.json')).mode & 0o777, 0o600);

      proxy.lose = () => null;
      const { code, document } = await publish(who, ...(who === undefined ? [] : ['--live']));
      assert.deepEqual([code, document.version.number], [0, 1]);
      if (who !== undefined) assert.equal(document.space.slug, 'drift');
      else
        assert.match(
          JSON.parse(readFileSync(state('claim.json'), 'utf8')).pages[0].claimToken,
          /^sp_claim_/u,
        );
      assert.equal((await spaces()).length, before.length + 1);
      assert.ok(!readdirSync(join(folder, 'game/.spaceport')).includes('resume.json'));
      rmSync(join(folder, 'game/service.json'), { force: true });
      rmSync(state(''), { recursive: true, force: true });
    }
  });

  test('makes another space of another folder, and of the same one after it was published', async () => {
    const { token } = await service.creator();
    const before = await spaces();
    loseCreates();
    await publish(token);
    proxy.lose = () => null;
    write('<!doctype html><title>Dive</title>');
    assert.equal((await publish(token)).document.space.slug, 'dive');
    rmSync(join(folder, 'game/service.json'));
    assert.equal((await publish(token)).document.space.slug, 'dive-2');
    assert.equal((await spaces()).length, before.length + 3);
  });

  test('is not hindered by one that was refused', async () => {
    const { token } = await service.creator();
    const settings = join(folder, 'game/service.json');
    writeFileSync(settings, JSON.stringify({ space: 'of-nobody', title: 'Dune' }));
    assert.equal((await publish(token)).document.error.code, 'not_found');
    writeFileSync(settings, JSON.stringify({ title: 'Dune', space_type: 'game', devices: ['desktop'] }));
    assert.equal((await publish(token)).document.space.slug, 'dune');
  });
});
