import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../test/database.ts';
import { openSearched, type Searched } from '../../test/searched.ts';
import { type Hit, type SearchOrder, searchSpaces } from './search.ts';

for (const engine of engines)
  describe(`searching spaces on ${engine}`, () => {
    let searched: Searched;
    before(async () => {
      searched = await openSearched(engine);
      const ada = await searched.account('ada_l', 'Ada Lovelace');
      const mira = await searched.account('moonsmith', 'Mira');
      const list = searched.list;
      await list(mira, { title: 'Paper Planets', tags: ['strategy'] }, 90_000);
      await list(ada, { title: 'Moon Hopper', tags: ['platformer', 'pixel-art'] }, 10);
      await list(ada, { title: 'Moonlight Sonata', space_type: 'music' }, 5_000);
      await list(ada, { title: 'The Dark Side of the Moon' }, 0);
      await list(ada, { title: 'Moon' }, 0);
      await list(ada, { title: 'Lantern', tags: ['moon', 'puzzle'] }, 0);
      await list(ada, { title: 'Tides', description: 'Everything here is pulled by the moon.' }, 50_000);
      await list(ada, { title: 'Élan Vital', description: 'Über die Straße' });
      await list(ada, { title: '東京パズル', tags: ['puzzle'] });
      await list(ada, { title: 'Ёлка' });
      await list(ada, { title: 'Emoji 🧩 party' });
      await list(ada, { title: 'Anthems 🇩🇪 🇫🇷' });
      await list(ada, { title: 'Kaleidoscope', space_type: 'toy' });
      await list(ada, { title: 'Tale of the lighthouse sunrise' });
      const many = await searched.account('by_comets');
      await list(many, { title: 'Tagged', tags: ['comet'] });
      for (let count = 0; count < 60; count++)
        await list(many, { title: `Nr ${count}`, description: 'A comet comes.' });
    });
    after(() => searched.close());

    type Page = { order?: SearchOrder; after?: Hit | null; limit?: number };
    const hits = (q: string, { order = 'best', after = null, limit = 50 }: Page = {}, narrowed = {}) =>
      searchSpaces(
        searched.database.db,
        { q, tag: undefined, spaceType: undefined, ...narrowed },
        { order, after, limit },
      );
    const titles = async (q: string, page: Page = {}, narrowed: object = {}) =>
      Promise.all((await hits(q, page, narrowed)).map(({ id }) => searched.titleOf(id)));

    const first: [q: string, titles: string[]][] = [
      [
        'moon',
        [
          'Moon',
          'Moon Hopper',
          'Moonlight Sonata',
          'The Dark Side of the Moon',
          'Lantern',
          'Tides',
          'Paper Planets',
        ],
      ],
      ['MOON hop', ['Moon Hopper']],
      ['hopper moon', ['Moon Hopper']],
      [
        'm',
        ['Moonlight Sonata', 'Moon Hopper', 'Moon', 'The Dark Side of the Moon', 'Lantern', 'Paper Planets'],
      ],
      ['moonl', ['Moonlight Sonata']],
      ['puzzle', ['Lantern', '東京パズル']],
      ['pixel', ['Moon Hopper']],
      ['#pixel-art', ['Moon Hopper']],
      ['pull', ['Tides']],
      ['elan', ['Élan Vital']],
      ['uber strasse', ['Élan Vital']],
      ['uber straße', ['Élan Vital']],
      ['東京', ['東京パズル']],
      ['パ', ['東京パズル']],
      ['елка', ['Ёлка']],
      ['🧩', ['Emoji 🧩 party']],
      ['🇫🇷', ['Anthems 🇩🇪 🇫🇷']],
      ['🇪🇸', []],
      ['kaleidoscope', ['Kaleidoscope']],
      ['kaleidoscopf', ['Kaleidoscope']],
      ['kaliedoscope', ['Kaleidoscope']],
      ['kaleidscope', ['Kaleidoscope']],
      ['kaleeidoscope', ['Kaleidoscope']],
      ['kaliedscope', []],
      ['hoper mon', []],
      ['moon hoppre', ['Moon Hopper']],
      ['lovelace hopper', ['Moon Hopper']],
      ['@moonsmith', ['Paper Planets']],
      ['mira planets', ['Paper Planets']],
      ['submarine', []],
      // Nothing has all of these words: the common ones are left out.
      ['the moon hopper', ['Moon Hopper']],
      ['the moon hoper', ['Moon Hopper']],
      ['moon submarine', []],
      // Words that are not finished, with a typo.
      ['kaleidx', ['Kaleidoscope']],
      ['kalediosc', ['Kaleidoscope']],
      ['keleid', ['Kaleidoscope']],
      ['kaleidoscxp', ['Kaleidoscope']],
      ['keliid', []],
      ['moon hoppx', ['Moon Hopper']],
      ['hopxe moon', ['Moon Hopper']],
      ['" OR *', []],
      ['!!!', []],
    ];
    for (const [q, expected] of first)
      it(`finds ${JSON.stringify(q)}`, async () => assert.deepEqual(await titles(q), expected));

    it('compares all words of a long text, and not only its beginning', async () => {
      const long = 'Tale of the lighthouse';
      assert.deepEqual(await titles(`${long} keeper`), []);
      assert.deepEqual(await titles(`${long} sun`), [`${long} sunrise`]);
    });

    it('shows spaces with a tag before the many whose descriptions have the word', async () => {
      const first = await titles('comet', { limit: 3 });
      assert.deepEqual([first[0], first.length], ['Tagged', 3]);
      assert.ok((await titles('comet')).length >= 40);
    });

    it('filters by type and tag, and sorts by age and plays', async () => {
      assert.deepEqual(await titles('moon', {}, { spaceType: 'music' }), ['Moonlight Sonata']);
      assert.deepEqual(await titles('moon', {}, { tag: 'puzzle' }), ['Lantern']);
      assert.deepEqual(await titles('moon', {}, { tag: 'puzzle', spaceType: 'music' }), []);
      assert.equal((await titles('moon', { order: 'new' }))[0], 'Tides');
      assert.deepEqual((await titles('moon', { order: 'played' })).slice(0, 2), ['Paper Planets', 'Tides']);
    });

    it('continues after the end of a page, in every order', async () => {
      for (const order of ['best', 'new', 'played'] as const) {
        const whole = await hits('moon', { order });
        const paged: Hit[] = [];
        for (let after: Hit | null = null; ; ) {
          const page: Hit[] = await hits('moon', { order, after, limit: 2 });
          paged.push(...page);
          after = page.at(-1) ?? null;
          if (page.length < 2) break;
        }
        assert.deepEqual(paged, whole, order);
      }
    });

    it('accepts any text', async () => {
      const operators = fc.constantFrom(
        '"',
        "'",
        '*',
        'AND',
        'NEAR(',
        '(',
        ')',
        ':',
        '^',
        '{',
        '-',
        '|',
        '&',
        '!',
        '\\',
        '<->',
        'moon',
        '\u0000',
      );
      const typed = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc.array(operators, { maxLength: 20 }).map((parts) => parts.join(' ')),
      );
      await fc.assert(
        fc.asyncProperty(typed, fc.constantFrom<SearchOrder>('best', 'new', 'played'), async (q, order) => {
          const found = await hits(q, { order });
          for (const { value } of found) assert.ok(Number.isSafeInteger(value) && value >= 0 && value < 1e15);
        }),
        { numRuns: 200 },
      );
    });
  });
