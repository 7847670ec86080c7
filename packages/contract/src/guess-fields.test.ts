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

  it('take no title that a template left, and what a template put before it neither', () => {
    const left = [
      'Document',
      'index',
      'Untitled',
      'untitled document',
      'Clickteam Fusion 2.5+ HTML5 Runtime',
      'Create Next App',
      'Emscripten-Generated Code',
      'New project',
      'Packaged Project',
      'PICO-8 Cartridge',
      'raylib web game',
      'React App',
      'TIC-80 tiny computer',
      'Unity Web Player | My project',
      'Unity WebGL Player | New Unity Project',
      'Vite App',
      'Vite + React',
      'Vite + React + TS',
      'WASM-4 Cart',
    ];
    for (const title of left) assert.equal(titleOf(title), 'a folder name', title);
    const read = {
      'Unity WebGL Player | ΦΚΤ Pong': 'ΦΚΤ Pong',
      'Unity Web Player | Roll': 'Roll',
      'Cocos Creator | tantanle': 'tantanle',
      'Unity WebGL Player | ': 'Unity WebGL Player |',
      // Games are called so.
      'Document Hunter': 'Document Hunter',
      'The Index': 'The Index',
      'My Project Runway': 'My Project Runway',
      Vite: 'Vite',
      'Vite! + me': 'Vite! + me',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(read).map((title) => [title, titleOf(title)])), read);
  });

  it('name a page without a title by the project, its own name, or the folder', () => {
    const named = (entry: string | undefined, manifest = '') =>
      guessFields({ page: '<title>PICO-8 Cartridge</title>', entry, manifest, name: 'a_folder-name' }).title;
    assert.equal(named('moon_hopper.html'), 'moon hopper');
    assert.equal(named('web/Moon.HTM'), 'Moon');
    assert.equal(named('web/index.html'), 'a folder name');
    assert.equal(named('Index.html'), 'a folder name');
    assert.equal(named(undefined), 'a folder name');
    assert.equal(named('moon.html', '{ "name": "@ada/owl" }'), 'owl');
    assert.equal(named('moon.html', '{ "name": "" }'), 'moon');
    assert.equal(named('index.html', '{ "name": "rmmz-game" }'), 'a folder name');
  });

  it('cost no time, whatever the page is made of', { timeout: 20_000 }, () => {
    for (const piece of ['<meta ', '<meta name=', '<title ', '<title>', '&a', '<meta <title '])
      guessFields({ page: piece.repeat(80_000), manifest: '', name: 'a folder' });
    const { devices } = guessFields({
      page: `<meta charset="utf-8"><meta\n content="width=device-width" name='viewport'>`,
      manifest: '',
      name: 'a folder',
    });
    assert.deepEqual(devices, ['desktop', 'mobile']);
  });

  it('are for phones, too, where the engine sets the viewport', () => {
    const devicesOf = (page: string) => guessFields({ page, manifest: '', name: 'a folder' }).devices;
    const library = '<script src="aframe.min.js"></script>';
    assert.deepEqual(devicesOf(`${library}<a-scene\n fog><a-sky></a-sky></a-scene>`), ['desktop', 'mobile']);
    assert.deepEqual(devicesOf(`${library}<a-scenery></a-scenery>`), ['desktop']);
  });

  it('are “Untitled” where nothing has a name, as in an archive of files without a folder', () => {
    for (const page of ['<h1>Moon</h1>', '<title>Vite + React</title>', ''])
      assert.equal(guessFields({ page, manifest: '', name: '' }).title, 'Untitled', page);
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
