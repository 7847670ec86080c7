import assert from 'node:assert/strict';
import { get } from './answered.ts';
import type { Story } from './story.ts';

/** Loads a page as a browser does, from the service's page on. Asserts that all files are of one version. */
export async function loadOf(story: Story): Promise<void> {
  const { port, test } = story.cluster;
  const page = await get(port, `${test.baseUrl}/s/${story.slug}`);
  const base = /<iframe [^>]*src="([^"]+)"/u.exec(page.text())?.[1];
  // The space was deleted meanwhile, as its files may be.
  if (base === undefined) return;
  const entry = await get(port, base);
  if (entry.status === 410) return;
  const mark = /<title>([^<]+)/u.exec(entry.text())?.[1];
  assert.ok(mark, `${base}: ${entry.status} ${entry.text()}`);
  for (const address of [`${base}first.js`, new URL('/by-root.js', base).href]) {
    const file = await get(port, address, { headers: { referer: base } });
    if (file.status === 410) return;
    assert.equal(file.text(), `/* ${mark} */`, `${address}, on a page of ${base}`);
  }
}
