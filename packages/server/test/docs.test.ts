import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorTable } from '@spaceport/contract/errors';
import { operations } from '@spaceport/contract/operations';
import { serviceJsonSchema } from '@spaceport/contract/service-json';
import { docFiles } from '../src/pages/docs/doc-files.ts';
import { startService, type TestService } from './service.ts';
import './one-engine.ts';

const maxPageBytes = 8 * 1024;
const maxGuideBytes = 4 * 1024;

/** Returns the addresses that curl makes of one with alternatives: `a.{b,c}` is `a.b` and `a.c`. */
function spelledOut(address: string): string[] {
  const [, before = '', words = '', after = ''] = /^(.*)\{(.+)\}(.*)$/u.exec(address) ?? [];
  return words === '' ? [address] : words.split(',').map((word) => before + word + after);
}

describe('the documents that the service serves for programs', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  const open = (path: string, headers = {}) => service.get(`${service.baseUrl}${path}`, { headers });

  /** Returns every page that can be reached from the guide, by path. */
  async function pagesFromTheGuide(): Promise<Map<string, string>> {
    const pages = new Map<string, string>();
    const waiting = ['/llms.txt'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const answer = await open(path);
      assert.equal(answer.status, 200, path);
      pages.set(path, answer.text());
      const own = new RegExp(`${service.baseUrl}(/(?:docs/|skill)[\\w/.-]*\\.md)`, 'gu');
      for (const [, next = ''] of answer.text().matchAll(own)) waiting.push(next);
    }
    return pages;
  }

  it('are small enough for an agent to read at once, and name only the address of this service', async () => {
    const pages = await pagesFromTheGuide();
    for (const [path, text] of pages) {
      const bytes = Buffer.byteLength(text);
      assert.ok(bytes < (path === '/llms.txt' ? maxGuideBytes : maxPageBytes), `${path}: ${bytes} bytes`);
      assert.doesNotMatch(text, /spaceport\.example/u, path);
      assert.doesNotMatch(text, /\]\((?!http)/u, path);
    }
    const named = ['publish', 'players', 'boards', 'game-servers', 'errors', 'api'];
    for (const name of named) assert.ok(pages.has(`/docs/${name}.md`), name);
    for (const path of Object.keys(docFiles)) assert.ok(pages.has(path), path);
  });

  it('have a page for each operation, named by the page of its group', async () => {
    const pages = await pagesFromTheGuide();
    for (const { id, method, path, tag } of operations) {
      const group = tag.toLowerCase().replaceAll(' ', '-');
      assert.match(pages.get(`/docs/api/${group}.md`) ?? '', new RegExp(`^## ${id}$`, 'mu'), id);
      const own = pages.get(`/docs/api/${group}/${id}.md`) ?? '';
      assert.ok(own.includes(`\`${method} ${service.baseUrl}${path}\``), id);
    }
  });

  it('list every error code', async () => {
    const text = (await open('/docs/errors.md')).text();
    for (const [code, { meaning }] of Object.entries(errorTable))
      assert.ok(text.includes(`- \`${code}\`: ${meaning}\n`), code);
  });

  it('are served as Markdown that is revalidated on each request, with 304 when it did not change', async () => {
    for (const [path, type] of [
      ['/docs/publish.md', 'text/markdown'],
      ['/docs/api/boards/putBoards.md', 'text/markdown'],
      ['/skill.md', 'text/markdown'],
      ['/llms.txt', 'text/plain'],
    ] as const) {
      const { headers } = await open(path);
      assert.equal(headers['content-type'], `${type}; charset=utf-8`);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
      const again = await open(path, { 'if-none-match': String(headers.etag) });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      const head = await service.get(`${service.baseUrl}${path}`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag], [200, headers.etag]);
    }
    for (const path of [
      '/docs/none.md',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/api/x.md',
    ])
      assert.equal((await open(path)).status, 404, path);
  });

  it('are served as Markdown at the address of a page when the accept header prefers Markdown', async () => {
    const index = await open('/docs/api.md');
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.5', 'text/html, Text/Markdown']) {
      const answer = await open('/docs/api', { accept });
      assert.equal(answer.headers['content-type'], 'text/markdown; charset=utf-8', accept);
      assert.equal(answer.headers.vary, 'accept, accept-encoding');
      assert.equal(answer.text(), index.text());
      const again = await open('/docs/api', { accept, 'if-none-match': String(answer.headers.etag) });
      assert.equal(again.status, 304);
    }
    for (const accept of ['text/html', '*/*', 'text/html, text/markdown;q=0.9', 'text/markdown;q=0', '']) {
      const answer = await open('/docs/api', { accept, 'accept-encoding': 'br' });
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8', accept);
      assert.equal(answer.headers.vary, 'accept, accept-encoding');
    }
  });

  it('are made from files that are in the repository', () => {
    for (const file of Object.values(docFiles))
      assert.ok(existsSync(fileURLToPath(new URL(`../../../docs/${file}`, import.meta.url))), file);
  });

  it('lead to the examples that they tell a reader to copy, as text', async () => {
    const pages = await pagesFromTheGuide();
    const examples = new Set<string>();
    for (const text of pages.values()) {
      const own = new RegExp(`${service.baseUrl}(/examples/[^\\s)']+)`, 'gu');
      for (const [, path = ''] of text.matchAll(own)) for (const each of spelledOut(path)) examples.add(each);
    }
    for (const path of examples) {
      const { status, headers, text } = await open(path);
      assert.equal(status, 200, path);
      assert.match(String(headers['content-type']), /^text\/(?:plain|markdown); charset=utf-8$/u, path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.doesNotMatch(text(), /https:\/\/spaceport\.example/u, path);
    }
    for (const name of ['godot', 'unity', 'ebitengine', 'game-server/who-plays.mjs', 'ci/README.md'])
      assert.ok(
        [...examples].some((path) => path.includes(`/${name}`)),
        name,
      );
    const addon = await open('/examples/engines/godot/addons/spaceport/spaceport.gd');
    assert.match(addon.text(), /^extends Node$/mu);
    assert.match(
      (await open('/examples/ci/README.md')).text(),
      new RegExp(`\\]\\(${service.baseUrl}/examples/ci/github/action\\.yml\\)`, 'u'),
    );
    for (const path of [
      '/examples',
      '/examples/',
      '/examples/mothlight/index.html',
      '/examples/../package.json',
    ])
      assert.equal((await open(path)).status, 404, path);
  });

  it('name every field of service.json', async () => {
    const pages = [...(await pagesFromTheGuide())].filter(([path]) => !path.startsWith('/docs/api'));
    const text = pages.map(([, page]) => page).join('\n');
    for (const name of Object.keys(serviceJsonSchema.shape))
      assert.ok(
        text.includes(`\`${name}\``) || text.includes(`"${name}": `) || text.includes(`\`${name}: `),
        name,
      );
  });

  it('include the schema of service.json at its own address', async () => {
    const answer = await open('/schemas/service.json');
    assert.equal(answer.headers['content-type'], 'application/schema+json; charset=utf-8');
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    const { $id, properties } = answer.json();
    assert.equal($id, `${service.baseUrl}/schemas/service.json`);
    assert.ok('$schema' in properties && 'boards' in properties);
    for (const [name, { description }] of Object.entries<{ description?: string }>(properties))
      assert.ok(description, name);
  });

  it('include the types of the player module, which a page of theirs names', async () => {
    const { status, headers, text } = await open('/sdk.d.ts');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text(), /^declare var Spaceport: /mu);
    const again = await open('/sdk.d.ts', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    for (const page of ['players', 'engines/javascript'])
      assert.ok((await open(`/docs/${page}.md`)).text().includes(`${service.baseUrl}/sdk.d.ts`), page);
  });
});
