import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { publishLive } from './files.ts';
import { oldestNode } from './oldest-node.ts';
import { owningPlayer } from './owning-player.ts';
import { startService, type TestService } from './service.ts';

const read = (path: string) => {
  const text = readFileSync(new URL(`../../../examples/ci/${path}`, import.meta.url), 'utf8');
  return parse(text);
};

describe('the CI examples', () => {
  let service: TestService;
  let home: string;
  let slug: string;
  let token: string;
  before(async () => {
    service = await startService();
    const { player, persona } = await owningPlayer(service);
    slug = (await publishLive(service, persona)).space.slug;
    const wish = { name: 'Build server', scopes: ['publish'], space: slug };
    token = (await player.call('POST', '/api/account/tokens', wish)).json().token;
    home = mkdtempSync(join(tmpdir(), 'spaceport-ci-'));
    mkdirSync(join(home, 'work/dist'), { recursive: true });
    writeFileSync(join(home, 'work/service.json'), JSON.stringify({ space: slug }));
    writeFileSync(join(home, 'work/dist/index.html'), '<!doctype html><title>Built</title>');
  });
  after(async () => {
    rmSync(home, { recursive: true, force: true });
    await service.close();
  });

  /** Runs the lines of a step as a CI runner does. */
  function step(script: string, env: Record<string, string>): Promise<{ code: number | null; said: string }> {
    const path = `${dirname(oldestNode().path)}:${process.env.PATH}`;
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: join(home, 'work'),
      env: {
        PATH: path,
        HOME: home,
        npm_config_cache: join(home, 'npm'),
        npm_config_offline: 'false',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
  }
  const outputs = (text: string) =>
    Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/su).slice(0, 2)),
    );

  it('make a preview of a pull request on GitHub, with its link as an output', async () => {
    const { inputs, outputs: named, runs } = read('github/action.yml');
    assert.deepEqual(Object.keys(inputs), ['service', 'token', 'folder', 'live']);
    const [{ run, env }] = runs.steps;
    assert.deepEqual(Object.keys(env), ['SERVICE', 'SPACEPORT_TOKEN', 'FOLDER', 'LIVE']);
    const file = join(home, 'outputs');
    const github = { SERVICE: service.baseUrl, SPACEPORT_TOKEN: token, FOLDER: 'dist', GITHUB_OUTPUT: file };
    const preview = await step(run, { ...github, LIVE: 'false' });
    assert.equal(preview.code, 0, preview.said);
    const { url = '', status } = outputs(readFileSync(file, 'utf8'));
    assert.equal(status, 'preview');
    assert.equal((await service.get(url)).status, 200);
    for (const name of Object.keys(named)) assert.ok(name === 'url' || name === 'status', name);

    writeFileSync(file, '');
    const refused = await step(run, { ...github, SPACEPORT_TOKEN: 'sp_token_wrong', LIVE: 'false' });
    assert.equal(refused.code, 3, refused.said);
    assert.equal(outputs(readFileSync(file, 'utf8')).status, 'failed');

    writeFileSync(file, '');
    // npm waits long before it tries an address again.
    const quick = { npm_config_fetch_retries: '0' };
    const gone = await step(run, { ...github, ...quick, SERVICE: 'http://127.0.0.1:1', LIVE: 'false' });
    assert.notEqual(gone.code, 0);
    assert.match(gone.said, /ECONNREFUSED/u);
    assert.doesNotMatch(gone.said, /SyntaxError/u);
    assert.equal(outputs(readFileSync(file, 'utf8')).status, 'failed');
  });

  it('go live from the default branch on GitLab', async () => {
    const jobs = read('gitlab/spaceport.gitlab-ci.yml');
    assert.deepEqual([jobs.preview.extends, jobs.live.extends], ['.spaceport', '.spaceport']);
    const [script] = jobs['.spaceport'].script;
    const settled = service.settle();
    const live = await step(script, {
      // As people copy addresses.
      SPACEPORT_SERVICE: `${service.baseUrl}/`,
      SPACEPORT_TOKEN: token,
      ...jobs['.spaceport'].variables,
      ...jobs.live.variables,
    });
    await settled;
    assert.equal(live.code, 0, live.said);
    const { SPACEPORT_URL, SPACEPORT_STATUS } = outputs(
      readFileSync(join(home, 'work/spaceport.env'), 'utf8'),
    );
    assert.deepEqual([SPACEPORT_URL, SPACEPORT_STATUS], [`${service.baseUrl}/s/${slug}`, 'live']);
  });

  it('use the action and its inputs as the action declares them', () => {
    const { jobs } = read('github/workflow.yml');
    const { inputs, outputs: named } = read('github/action.yml');
    const steps: { uses?: string; with?: object; env?: Record<string, string> }[] = jobs.publish.steps;
    const used = steps.find(({ uses }) => uses === './.github/actions/spaceport');
    for (const name of Object.keys(used?.with ?? {})) assert.ok(name in inputs, name);
    const names = JSON.stringify(steps).matchAll(/steps\.spaceport\.outputs\.(\w+)/gu);
    for (const [, name = ''] of names) assert.ok(name in named, name);
  });

  it('publish one commit of a branch after the other, and nothing where there are no secrets', () => {
    const { concurrency, jobs } = read('github/workflow.yml');
    assert.equal(concurrency.group, `spaceport-\${{ github.ref }}`);
    assert.match(jobs.publish.if, /head\.repo\.full_name == github\.repository/u);
    assert.match(jobs.publish.if, /github\.actor != 'dependabot\[bot\]'/u);
    assert.equal(read('gitlab/spaceport.gitlab-ci.yml').live.resource_group, 'spaceport');
  });
});
