import assert from 'node:assert/strict';
import { it } from 'node:test';
import { engines } from '../../test/database.ts';
import { openSearched } from '../../test/searched.ts';
import { countTokenPieces } from '../platform/db/dialect.ts';
import { mergeSearch } from './merge.ts';
import { searchSpaces } from './search.ts';

for (const engine of engines) {
  it(`on ${engine} an index has few segments after many changes, and finds the same`, async () => {
    const searched = await openSearched(engine);
    try {
      const { database } = searched;
      const owner = await searched.account('ada');
      const ids = [];
      for (let count = 0; count < 40; count++)
        ids.push(await searched.list(owner, { title: `moon ${count}`, tags: [`tag-${count}`] }));
      const found = async () => {
        const asked = { q: 'moon', tag: undefined, spaceType: undefined };
        const hits = await searchSpaces(database.db, asked, { order: 'new', after: null, limit: 100 });
        return hits.map(({ id }) => id);
      };
      const before = await found();
      assert.deepEqual(before, ids.toReversed());
      if (engine === 'sqlite') assert.ok((await countTokenPieces(database.db)) > 4);
      await mergeSearch(database);
      assert.ok((await countTokenPieces(database.db)) <= 2);
      assert.deepEqual(await found(), before);
    } finally {
      await searched.close();
    }
  });
}
