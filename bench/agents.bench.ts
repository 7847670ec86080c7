import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callTool } from './lib/call-tool.ts';
import { startCountingRelay } from './lib/counting-relay.ts';
import { freePort, run, temporaryFolder } from './lib/processes.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { createToken, startService } from './lib/service.ts';
import { requireTool } from './lib/tools.ts';
import { makeTree } from './lib/tree.ts';

const files = 50;
const bytes = 2_000_000;
const cli = fileURLToPath(new URL('../packages/cli/bin/spaceport.mjs', import.meta.url));

/** Publishes a folder by each way that an agent has, and measures how much the agent has to read before. */
export async function bench(): Promise<BenchResult> {
  for (const tool of ['tar', 'curl']) requireTool(tool);
  await using folder = await temporaryFolder();
  const tree = join(folder.path, 'project/dist');
  await makeTree(tree, files, bytes);
  const relayPort = await freePort();
  const relayed = `http://localhost:${relayPort}`;
  const data = join(folder.path, 'data');
  await mkdir(data);
  await using service = await startService(data, { environment: { BASE_URL: relayed, BROWSER: 'none' } });
  await using relay = await startCountingRelay(relayPort, service.port);
  const token = await createToken(data);
  const flags = ['--title', 'Fifty', '--type', 'game', '--devices', 'desktop', '--live', '--json'];
  const query = 'title=Fifty&type=game&devices=desktop&live=true&wait=60';
  const ways: Record<string, () => Promise<unknown>> = {
    'the command': () =>
      run('load', process.execPath, [cli, 'publish', tree, ...flags], {
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder.path,
          SPACEPORT_TOKEN: token,
          SPACEPORT_SERVER: relayed,
        },
      }),
    'one call': () =>
      run('load', 'sh', [
        '-c',
        `tar -czC "$1" . | curl -sSf --data-binary @- -H 'content-type: application/gzip' -H "authorization: Bearer $2" "$3"`,
        'sh',
        tree,
        token,
        `${relayed}/api/v1/hosting/publish?${query}`,
      ]),
    MCP: () =>
      callTool(relayed, token, tree, { title: 'Fifty', type: 'game', devices: ['desktop'], live: true }),
  };
  const rows: Row[] = [];
  for (const [way, publish] of Object.entries(ways)) {
    relay.reset();
    const began = performance.now();
    const said = String(await publish());
    if (!/"(?:status|outcome)":\s*"live"/u.test(said)) throw new Error(`${way} did not go live: ${said}`);
    rows.push(
      row(`${files} files to live by ${way}`, { value: (performance.now() - began) / 1_000, unit: 's' }),
      row('… calls', { value: relay.calls(), unit: 'calls' }),
      row('… sent and answered', { value: relay.bytes() / 1_000, unit: 'KB' }),
    );
  }
  for (const [what, path, atMost] of [
    ['to read before: llms.txt', '/llms.txt', 4.096],
    ['… and docs/publish.md, for more', '/docs/publish.md', 8.192],
    ['… in place of the OpenAPI description', '/api/openapi.json', null],
  ] as const) {
    const { length } = Buffer.from(await (await fetch(`${relayed}${path}`)).arrayBuffer());
    rows.push(
      row(what, { value: length / 1_000, unit: 'KB' }, null, atMost === null ? null : { of: 'ours', atMost }),
    );
  }
  return {
    title: 'What a coding agent takes to publish',
    method: `A folder of ${files} files, ${bytes / 1e6} MB, to a live page, verdict waited for, on a service without a browser; once each, the first into an empty store, the next two with every file there. Calls and bytes of bodies are counted between agent and service.`,
    rows,
  };
}
