import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { foldPath, maxPathBytes, pathConflicts, pathProblem } from './paths.ts';

describe('pathProblem', () => {
  it('accepts the names of real builds', () => {
    const names = [
      'index.html',
      'Build/game.wasm.br',
      'assets/sprite sheet (1).png',
      'música/canción.ogg',
      '画像/背景.webp',
      'a'.repeat(maxPathBytes),
      'TemplateData/style.css',
      '_next/static/chunks/[slug]-0a1b.js',
      "it's+fine@2x,#1!~$&'=;.png",
    ];
    for (const name of names) assert.equal(pathProblem(name.normalize('NFC')), null, name);
  });

  it('refuses names that fold to a hidden name', () => {
    const names = [
      '.htaccess',
      'a/.b',
      'ＳERVICE.json',
      'ser\u00advice.json',
      'NODE_MODULES/a',
      'node\u2060_modules/a',
      '．env',
      'a／..／b',
      'a／b/c',
      'deep/ser\u00advice.json/x',
      'deep/folder/．env',
    ];
    for (const name of names) assert.notEqual(pathProblem(name), null, name);
  });

  it('refuses names that look like the address of a version', () => {
    for (const name of ['~7/index.html', '~12', '~1.png', '～7/a.js'])
      assert.match(pathProblem(name) ?? '', /begins with ~ and a digit/u, name);
    for (const name of ['~a/index.html', 'a/~7/index.html', '7~.png', '~'])
      assert.equal(pathProblem(name), null, name);
  });

  it('refuses a name that is not in normal form C', () => {
    assert.match(pathProblem('cafe\u0301.html') ?? '', /normal form C/u);
  });

  it('folds a path once, however many folders it has', () => {
    const normalize = mock.method(String.prototype, 'normalize');
    const callsFor = (path: string) => {
      normalize.mock.resetCalls();
      assert.equal(pathProblem(path), null);
      assert.deepEqual(pathConflicts([path]), []);
      return normalize.mock.callCount();
    };
    try {
      assert.equal(callsFor(`${'é/'.repeat(79)}x`), callsFor('é'));
    } finally {
      normalize.mock.restore();
    }
  });

  it('counts bytes, and not characters', () => {
    for (const character of ['a', 'é', '€', '🎮']) {
      const most = character.repeat(maxPathBytes / Buffer.byteLength(character));
      assert.equal(pathProblem(most), null, character);
      assert.match(pathProblem(most + character) ?? '', /longer than 240 bytes/u, character);
    }
  });

  it('never throws, and never accepts a path that leaves its folder', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'é'), minLength: 1, maxLength: 60 });
    const long = fc.array(name, { maxLength: 8 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), long), (path) => {
        if (pathProblem(path) !== null) return;
        const segments = path.split('/');
        assert.ok(segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..'));
        assert.ok(!path.includes('\\') && !path.startsWith('/'));
        assert.ok(Buffer.byteLength(path) <= maxPathBytes);
      }),
    );
  });
});

describe('pathConflicts', () => {
  it('finds none among paths whose folded forms differ and nest properly', () => {
    assert.deepEqual(pathConflicts(['a/b', 'a/c', 'ab', 'b/a/c']), []);
  });

  it('finds exactly one conflict between a path and its upper-case form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/u), (path) => {
        assert.equal(pathConflicts([path, path.toUpperCase()]).length, 1);
      }),
    );
  });

  it('folds each folder of a path as if it stood alone', () => {
    const name = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(name, name, (folder, file) => {
        assert.equal(foldPath(`${folder}/${file}`), `${foldPath(folder)}/${foldPath(file)}`);
      }),
    );
  });

  it('folds ASCII as any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (path) => {
        assert.equal(`${foldPath(path)}é`, foldPath(`${path}é`));
      }),
    );
  });

  it('folds a path to a form that folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => foldPath(foldPath(path)) === foldPath(path)),
    );
  });
});
