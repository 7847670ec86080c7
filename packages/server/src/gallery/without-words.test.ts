import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listing } from '../../test/files.ts';
import { startPages } from '../../test/pages.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('the gallery without a search', () => {
  let pages: Awaited<ReturnType<typeof startPages>>;
  let service: TestService;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  it('is listed in pages and by type', async () => {
    const creator = await service.creator();
    const tools: string[] = [];
    for (const [at, space_type] of ['tool', 'game', 'tool', 'tool'].entries()) {
      const url = pages.put(`/page-${at}`, '');
      const made = await creator.call('POST', '/api/spaces', { ...listing, url, space_type });
      assert.equal(made.status, 201, made.text());
      if (space_type === 'tool') tools.push(made.json().slug);
    }
    for (const sort of ['new', 'played']) {
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const cursor: string = next === null ? '' : `&cursor=${next}`;
        const path = `/api/gallery?space_type=tool&sort=${sort}&limit=2${cursor}`;
        const answer = (await service.anonymous.call('GET', path)).json();
        seen.push(...answer.spaces.map(({ slug }: { slug: string }) => slug));
        next = answer.next;
      } while (next !== null);
      assert.equal(seen.length, tools.length);
      if (sort === 'new') assert.deepEqual(seen, tools.toReversed());
      assert.deepEqual(seen.toSorted(), tools.toSorted());
    }
  });
});
