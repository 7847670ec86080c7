import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextSlug, slugFromTitle } from './slug.ts';

const slug = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{1,46}[a-z0-9])$/u;

describe('slugs', () => {
  for (const [title, made] of [
    ["Zoë's  Été!", 'zoes-ete'],
    ['Go', 'go-space'],
    ['API', 'api-space'],
    ['Großer Spaß in Łódź', 'grosser-spass-in-lodz'],
    ['Космос 2084: Ельцин', 'kosmos-2084-eltsin'],
    ['Мой', 'moy'],
    ['Δράκος', 'drakos'],
    ['深圳大冒险', 'shen-zhen-da-mao-xian'],
    ['우주 여행', 'uju-yeohaeng'],
    ['キャッスル・ファイト', 'kyassuru-faito'],
    ['ちょっと ジャンプ ﾊﾟｰﾃｨｰ', 'chotto-janpu-pati'],
    ['宇宙の旅 キャット', 'kyatto'],
    ['מסע', 'ms-space'],
    ['🐸', 'frog'],
    ['👑🌴 ❤️', 'crown-palm-tree-heart'],
    ['🚀 Rocket 🚀', 'rocket'],
  ] as const)
    it(`are ${made} for ${title}`, async () => assert.equal(await slugFromTitle(title), made));

  it('are random for a title that nobody can read without a dictionary, or that has no letters', async () => {
    for (const title of ['宇宙の旅', '???', '…'])
      assert.match(await slugFromTitle(title), /^space-[a-z0-9]{6}$/u, title);
  });

  it('have 3 to 48 of a-z, 0-9 and single hyphens, whatever the title and however often tried', async () => {
    const long = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', ' ', 'é', '’'), maxLength: 120 });
    const titles = fc.oneof(fc.string({ unit: 'grapheme' }), long);
    await fc.assert(
      fc.asyncProperty(titles, fc.integer({ min: 1, max: 30 }), async (title, attempt) => {
        const wanted = await slugFromTitle(title);
        assert.match(wanted, slug);
        assert.match(nextSlug(wanted, attempt), slug);
      }),
    );
  });
});
