import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Files, publishLive } from '../../test/files.ts';
import { browser } from '../../test/owning-player.ts';
import { nobodyPlayer } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

/** Maps line 1 of the script to line 3, column 5 of the source, and maps nothing in line 2. */
const map = (more: object = {}) =>
  JSON.stringify({ version: 3, sources: ['../src/jump.ts'], names: [], mappings: 'AAEI', ...more });
const page = (script: string) => `<!doctype html><title>Moon</title><script src="${script}"></script>`;

describe('stacks with source maps', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { CHECKS_PER_HOUR: '1000', PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  /** Returns the stack that the owner reads for an error at these addresses. */
  async function stackOf(files: Files, ...addresses: string[]) {
    const { slug } = (await publishLive(service, creator, files)).space;
    const who = nobodyPlayer(service);
    const opened = await who.call('POST', '/api/player/sessions', { space: slug, version: 1 }, browser);
    const { session } = opened.json();
    const frames = addresses.map((address) => `    at a (http://${slug}.play.localhost${address})`);
    const stack = ['Error: no', ...frames].join('\n');
    await who.post('errors', { session, errors: [{ message: 'no', stack }] }, browser);
    const { errors } = (await creator.call('GET', `/api/spaces/${slug}/errors`)).json();
    const one = (await creator.call('GET', `/api/spaces/${slug}/errors/${errors[0].id}`)).json();
    const [, ...lines] = one.stack.split('\n');
    return { mapped: one.mapped, lines: lines.map((line: string) => line.trim()) };
  }

  it('are mapped by a map beside the script', async () => {
    const files = { 'index.html': page('game.js'), 'game.js': 'a();\nb();', 'game.js.map': map() };
    const { mapped, lines } = await stackOf(files, '/game.js:1:1', '/~1/game.js?v=2:1:3', '/game.js:2:1');
    assert.equal(mapped, true);
    assert.deepEqual(lines.slice(0, 2), ['at a (src/jump.ts:3:5)', 'at a (src/jump.ts:3:5)']);
    assert.match(lines[2], /game\.js:2:1\)$/u, 'what no map says stays as it came');
  });

  it('are mapped by the map that the script names, in another folder', async () => {
    const script = 'a();\n//# sourceMappingURL=../maps/one.map\n';
    const files = {
      'dist/index.html': page('js/game.js'),
      'dist/js/game.js': script,
      'dist/maps/one.map': map({ sources: ['webpack://moon/./src/jump.ts'] }),
    };
    const { lines } = await stackOf(
      { ...files, 'index.html': page('dist/js/game.js') },
      '/dist/js/game.js:1:1',
      '/js/game.js:1:1',
    );
    assert.deepEqual(lines, ['at a (src/jump.ts:3:5)', 'at a (src/jump.ts:3:5)']);
  });

  it('stay unchanged when there is no map or it cannot be read', async () => {
    const files = { 'index.html': page('game.js'), 'game.js': 'a();' };
    for (const [name, more] of Object.entries<Files>({
      none: {},
      'no JSON': { 'game.js.map': '<html>' },
      'no map': { 'game.js.map': '[]' },
      'odd fields': { 'game.js.map': JSON.stringify({ version: 3, sources: 5, mappings: {} }) },
      'an endless number': { 'game.js.map': map({ mappings: 'g'.repeat(100_000) }) },
      'elsewhere named': { 'game.js': 'a();\n//# sourceMappingURL=https://other.example/game.js.map' },
      'too large': { 'game.js.map': map({ sourcesContent: ['x'.repeat(8 * 1024 * 1024)] }) },
    })) {
      const { mapped, lines } = await stackOf({ ...files, ...more }, '/game.js:2:1', '/other.js:1:1');
      assert.equal(mapped, false, name);
      assert.match(lines[0], /play\.localhost\/game\.js:2:1\)$/u, name);
    }
  });

  it('never contain a source name with a line break', async () => {
    const sources = [`a\n    at b (c.ts:1:1)${'x'.repeat(400)}`];
    const files = { 'index.html': page('game.js'), 'game.js': 'a();', 'game.js.map': map({ sources }) };
    const { lines } = await stackOf(files, '/game.js:1:1');
    assert.equal(lines.length, 1);
    assert.ok(lines[0].length < 350);
  });
});
