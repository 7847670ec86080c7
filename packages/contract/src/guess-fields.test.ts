import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { guessFields } from './guess-fields.ts';
import { spaceFieldsSchema } from './spaces.ts';

const titleOf = (title: string) =>
  guessFields({ page: `<title>${title}</title>`, manifest: '', name: 'a_folder-name' }).title;

describe('guessed fields', () => {
  it('take the title of the page as people read it', () => {
    const read = {
      'Owl &amp; I': 'Owl & I',
      'Moon&nbsp;Hopper &ndash; 2&#8209;D': 'Moon Hopper – 2\u2011D',
      '  two\n\tlines ': 'two lines',
      'It&#x27;s &unknown; &#xfffffff;': "It's &unknown; &#xfffffff;",
      // A mark of the direction and a soft hyphen, as word processors write them.
      '\u200fשלום\u200f Super\u00adhero': 'שלום Superhero',
      'می‌خواهم 👩🏽‍🚀': 'می‌خواهم 👩🏽‍🚀',
      'a\u0000b&#0;c&#xd800;': 'a b c\ufffd',
      '&toString;': '&toString;',
      '\u200b': 'a folder name',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(read).map((title) => [title, titleOf(title)])), read);
  });

  it('are accepted by a listing, whatever is in the folder', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '\ud800',
        '\u0000',
        '\u200b',
        '\u202e',
        '&#0;',
        '&#xd800;',
        '&#8203;',
        ' ',
        '\u{1f600}',
      ),
    );
    const odd = fc.array(unit, { maxLength: 120 }).map((parts) => parts.join(''));
    const manifest = fc.oneof(
      odd,
      fc.record({ name: fc.oneof(odd, fc.jsonValue()), description: odd }).map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(odd, manifest, odd, (title, text, name) => {
        const guess = guessFields({ page: `<title>${title}</title>`, manifest: text, name });
        const parsed = spaceFieldsSchema.safeParse({ ...guess, space_type: 'game' });
        assert.ok(parsed.success, JSON.stringify([guess, parsed.error]));
        assert.ok(guess.title.isWellFormed());
      }),
    );
  });
});
