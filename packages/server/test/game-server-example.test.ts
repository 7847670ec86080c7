import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishLive } from './files.ts';
import { type Persona, startService, type TestService } from './service.ts';
import './one-engine.ts';

const program = fileURLToPath(new URL('../../../examples/game-server/server.mjs', import.meta.url));

describe('the example of a game server', () => {
  let service: TestService;
  let creator: Persona;
  let player: Persona;
  let slug: string;
  let server: ChildProcess;
  let address: string;
  before(async () => {
    service = await startService();
    creator = await service.creator();
    player = await service.creator('lucky');
    slug = (await publishLive(service, creator)).space.slug;
    const boards = [{ key: 'throws', trust: 'server' as const }];
    await creator.client.putBoards({ params: { slug }, body: { boards } });
    const { secret } = await creator.client.issueSecret({ params: { slug } });
    const env = { PATH: process.env.PATH, SERVICE: service.baseUrl, SPACE: slug, SECRET: secret, PORT: '0' };
    server = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(server.stdout);
    const [line] = await once(createInterface(server.stdout), 'line');
    address = String(line);
  });
  after(async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    await service.close();
  });

  const tokenOf = async (who: Persona, space = slug, sandbox = false) =>
    (await who.client.issuePlayerToken({ body: { space, sandbox } })).token;
  const play = (token: string) => fetch(address, { method: 'POST', body: token });
  const entries = async () =>
    (await service.anonymous.call('GET', `/api/gallery/${slug}/boards/throws/entries`)).json().entries;

  it('posts the throw that it rolled, for the player whose token the page has', async () => {
    const answer = await play(await tokenOf(player));
    const { submission, rank, ...rest } = await answer.json();
    assert.equal(answer.status, 201, JSON.stringify(rest));
    assert.deepEqual([submission.player, rank], ['lucky', 1]);
    assert.ok(submission.score >= 1 && submission.score <= 6);
    const [entry] = await entries();
    assert.deepEqual([entry.handle, entry.score], ['lucky', submission.score]);
  });

  it('posts a throw in a preview to the sandbox', async () => {
    const answer = await play(await tokenOf(creator, slug, true));
    assert.equal(answer.status, 201, await answer.text());
    assert.ok((await entries()).every(({ handle }: { handle: string }) => handle !== creator.handle));
  });

  it('refuses tokens of another space and made-up tokens', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    const token = await tokenOf(player);
    const [head, body, signature] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const wrong of [
      await tokenOf(player, other),
      `${unsigned}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ handle: 'lucky' })).toString('base64url')}.${signature}`,
      'nonsense',
      '',
    ]) {
      assert.equal((await play(wrong)).status, 401, wrong);
    }
    assert.equal((await play('x'.repeat(5_000))).status, 413);
  });
});
