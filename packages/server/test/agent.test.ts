import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { oldestNode } from './oldest-node.ts';
import { startService, type TestService } from './service.ts';

const page = '<!doctype html>\n<title>Moon Hopper</title>\n<h1>Moon Hopper</h1>\n';
const harm = '<form action="https://elsewhere.example/take"><input type="password"></form>\n';

/**
 * Returns false if the programs that the guide's lines call are installed, otherwise the name of a missing
 * one.
 */
function lacking(): string | false {
  for (const name of ['bash', 'curl', 'tar', 'npx']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
    } catch {
      return `${name} is not in PATH`;
    }
  }
  return false;
}

/**
 * The agent knows only the address of the service. It works in an empty folder, with the oldest supported
 * Node.
 */
describe('a coding agent that knows only what the service serves', { skip: lacking() }, () => {
  let service: TestService;
  let home: string;
  let calls: number;
  const node = oldestNode();
  before((t) => t.diagnostic(`run with Node ${node.version}`));
  beforeEach(async () => {
    service = await startService();
    home = mkdtempSync(join(tmpdir(), 'spaceport-agent-'));
    mkdirSync(join(home, 'dist'));
    calls = 0;
  });
  afterEach(async () => {
    rmSync(home, { recursive: true, force: true });
    await service.close();
  });

  const write = (text: string) => writeFileSync(join(home, 'dist/index.html'), text);
  async function read(path: string): Promise<string> {
    calls++;
    return (await service.get(`${service.baseUrl}${path}`)).text();
  }
  /** Returns the line of the guide that contains these words, as an agent copies it. */
  function lineOf(guide: string, words: string): string {
    const found = guide.split('\n').find((line) => line.startsWith('    ') && line.includes(words));
    assert.ok(found, words);
    return found.trim();
  }
  /** Runs a line in the folder, as a terminal does. Returns the exit code and the one JSON document. */
  function run(
    line: string,
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; document: Report }> {
    calls++;
    const PATH = `${dirname(node.path)}:${process.env.PATH}`;
    const child = spawn('bash', ['-c', line], {
      cwd: home,
      env: { PATH, HOME: home, npm_config_cache: join(home, 'npm'), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    return new Promise((resolve) =>
      child.on('close', (code) => resolve({ code, document: JSON.parse(said) })),
    );
  }
  const settling = async <T>(work: Promise<T>): Promise<T> => {
    const settled = setInterval(() => void service.settle(), 200);
    return work.finally(() => clearInterval(settled));
  };

  it('publishes with one command of the guide, and goes on with the same page', async () => {
    const command = lineOf(await read('/llms.txt'), 'publish ./dist --anonymous');
    write(page);
    const first = await settling(run(command));
    assert.equal(first.code, 0);
    assert.equal(calls, 2);
    assert.equal((await service.get(first.document.pageUrl)).status, 200);
    assert.match((await service.get(first.document.previewUrl ?? '')).text(), /Moon Hopper/u);
    assert.ok(first.document.claimUrl?.startsWith(`${service.baseUrl}/claim#`));
    const second = await settling(run(command));
    assert.equal(second.document.pageUrl, first.document.pageUrl);
    assert.equal(second.document.version.number, 2);
  });

  it('publishes with one call of the guide, and the next version with the claim token of the answer', async () => {
    const guide = await read('/llms.txt');
    const call = lineOf(guide, 'tar -czC');
    write(page);
    const first = await settling(run(call));
    assert.equal(calls, 2);
    assert.equal((await service.get(first.document.previewUrl ?? '')).status, 200);
    const header = /`(-H 'x-service-claim: )<claimToken>('`)/u.exec(guide);
    assert.ok(header);
    const claimed = `-H 'x-service-claim: ${first.document.claimToken}'`;
    const second = await settling(run(call.replace('curl ', `curl ${claimed} `)));
    assert.equal(second.document.version.number, 2);
    assert.equal(second.document.pageUrl, first.document.pageUrl);
  });

  it('goes live with an API token, in two calls', async () => {
    const { token } = await service.creator('mira');
    const command = lineOf(await read('/llms.txt'), 'publish ./dist --live --json');
    write(page);
    writeFileSync(
      join(home, 'dist/service.json'),
      JSON.stringify({ title: 'Moon Hopper', space_type: 'game', devices: ['desktop'] }),
    );
    const { code, document } = await settling(run(command, { SPACEPORT_TOKEN: token }));
    assert.deepEqual([code, calls, document.outcome], [0, 2, 'live']);
    assert.equal((await service.get(`${service.baseUrl}/s/moon-hopper`)).status, 200);
  });

  it('repairs a refused version from the findings in the answer alone', async () => {
    const call = lineOf(await read('/llms.txt'), 'tar -czC');
    write(page + harm);
    const refused = await settling(run(call));
    assert.equal(refused.document.status, 'refused');
    const found = refused.document.report?.findings.filter(({ severity }) => severity === 'refuse') ?? [];
    assert.ok(found.length > 0);
    for (const { path = '', message, fix } of found) {
      // `fix` says only "Remove the form." The form to remove is in `message`, and its file in `path`.
      assert.match(fix, /^Remove the form\./u);
      const element = /<(\w+)/u.exec(message)?.[1];
      const file = join(home, 'dist', path);
      const kept = readFileSync(file, 'utf8').replaceAll(/<form[\s\S]*?<\/form>\n?/gu, (form) =>
        form.includes('<input') && element !== undefined ? '' : form,
      );
      writeFileSync(file, kept);
    }
    const claimed = `-H 'x-service-claim: ${refused.document.claimToken}'`;
    const mended = await settling(run(call.replace('curl ', `curl ${claimed} `)));
    assert.equal(mended.document.status, 'preview');
    assert.deepEqual(
      mended.document.report?.findings.filter(({ severity }) => severity === 'refuse'),
      [],
    );
    assert.ok(calls <= 4, String(calls));
  });
});

/** The part of the printed document that the guide describes. */
interface Report {
  readonly status?: string;
  readonly outcome?: string;
  readonly version: { readonly number: number };
  readonly pageUrl: string;
  readonly previewUrl?: string;
  readonly claimUrl?: string;
  readonly claimToken?: string;
  readonly report?: {
    readonly findings: readonly {
      readonly severity: string;
      readonly path?: string;
      readonly message: string;
      readonly fix: string;
    }[];
  };
}
