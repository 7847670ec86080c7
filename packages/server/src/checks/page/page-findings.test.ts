import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Visit } from '../../platform/browser/visit.ts';
import { judge, versionOf } from '../rules/checked-files.fixture.ts';
import { entryProblems } from '../rules/entry-problems.ts';
import { visitFindings } from './page-findings.ts';

const { origin, entry } = versionOf({});

/** Returns the rules of the findings about a page with this markup, whose browser did not get these addresses. */
async function rulesFor(markup: string, urls: readonly string[]): Promise<string[]> {
  const told = await judge(entryProblems, entry, markup);
  const failed = urls.map((url) => ({ url, status: 404, reason: 'Not Found' }));
  const visit: Visit = {
    end: 'seen',
    detail: null,
    status: 200,
    loaded: true,
    loadMs: 10,
    bytes: 100,
    consoleErrors: [],
    openedWindows: 0,
    failedRequests: failed,
    asked: [],
    documents: [],
    documentsCut: false,
    databases: [],
    picture: null,
  };
  const page = {
    loaded: true,
    consoleErrors: [],
    failedRequests: failed.map(({ url, reason }) => ({ url, reason })),
    blank: false,
    loadMs: 10,
    bytes: 100,
  };
  const findings = visitFindings(visit, page, {
    entry,
    startsByClick: false,
    origin,
    told: told ? [told] : [],
  });
  return findings.map(({ rule }) => rule);
}

describe('the findings about requests that failed', () => {
  it('leave out a file that a rule has named, however its address is written', async () => {
    assert.deepEqual(await rulesFor('<img src="moon.png">', [`${origin}/moon.png`]), []);
    assert.deepEqual(await rulesFor('<img src="my moon.png">', [`${origin}/my%20moon.png`]), []);
    assert.deepEqual(await rulesFor('<img src="mönd.png">', [`${origin}/m%C3%B6nd.png`]), []);
  });

  it('have a file of another site, whatever a rule has named here', async () => {
    const urls = ['https://cdn.example/moon.png'];
    assert.deepEqual(await rulesFor('<img src="moon.png">', urls), ['page-requests']);
  });

  it('leave out an address of another site that a rule has named', async () => {
    const markup = '<img src="http://cdn.example/moon.png">';
    for (const scheme of ['http', 'https'])
      assert.deepEqual(await rulesFor(markup, [`${scheme}://cdn.example/moon.png`]), []);
  });
});
