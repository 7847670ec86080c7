import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { lookedAtBytes, placeForScript } from './place-for-script.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
const script = '<script src="/service/sdk.js"></script>';

function inserted(page: string, isWhole = true): string | null {
  const bytes = Buffer.from(page, 'latin1');
  const at = placeForScript(bytes, isWhole);
  return at === null ? null : page.slice(0, at) + script + page.slice(at);
}

/**
 * Returns a document as a browser parses it, without our script, and which of its elements were scripts
 * before ours.
 */
function seen(page: string) {
  // Decoded as browsers do, which leave out the byte order mark.
  const document = parse(
    Buffer.from(page, 'latin1')
      .toString()
      .replace(/^\ufeff/u, ''),
  );
  const before: string[] = [];
  let isFound = false;
  let parent = '';
  function draw(node: Node): unknown {
    if (!('tagName' in node)) return 'value' in node ? node.value : node.nodeName;
    const isOurs = node.attrs.some(({ name, value }) => name === 'src' && value === '/service/sdk.js');
    if (isOurs && !isFound) {
      isFound = true;
      parent = node.parentNode && 'tagName' in node.parentNode ? node.parentNode.tagName : '';
      return [];
    }
    if (!isFound && node.tagName === 'script') before.push(node.tagName);
    return [[node.tagName, node.attrs, node.childNodes.flatMap(draw)]];
  }
  const tree = document.childNodes.map(draw);
  return { tree, mode: document.mode, before, parent, isFound };
}

const pages = {
  'a head': '<!doctype html><html><head><title>x</title></head><body>',
  'attributes that hold a tag end': '<html lang="a>b" data-x=\'>\'><head prefix="a>b"><meta>',
  'an unquoted value with a quote': '<html lang=a"b><head>',
  'no head': '<!doctype html><title>x</title><canvas></canvas>',
  'text alone': 'hello',
  'a byte order mark': '\xef\xbb\xbf<!doctype html><head><title>x',
  'comments before all': '<!-- <head> --><!doctype html><!----><!--> <head>',
  'a comment that ends oddly': '<!-- a --!><head><title>x',
  'an XML declaration': '<?xml version="1.0"?><!DOCTYPE html><html><head>',
  'an old doctype':
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><HTML><HEAD >',
  'no doctype': '<html>\n<head>\n<script src="a.js"></script>',
  'a body at once': '<!doctype html><body onload="go()"><script>1</script>',
  'an end tag before all': '<!doctype html></p></head><title>x',
  frames: '<!doctype html><frameset><frame></frameset>',
  'an element whose name begins with head': '<header>x</header>',
  'a head that closes itself': '<html><head/><title>x',
  'a quote in the place of a name': '<html "><head><title>x',
};

describe('the place for the script', () => {
  for (const [what, page] of Object.entries(pages)) {
    test(`is in the head before all other scripts in a page with ${what}, and the document is the same`, () => {
      const changed = inserted(page);
      assert.ok(changed !== null);
      const [was, is] = [seen(page), seen(changed)];
      assert.deepEqual({ tree: is.tree, mode: is.mode }, { tree: was.tree, mode: was.mode });
      assert.deepEqual([is.before, is.parent], [[], 'head']);
    });
  }

  test('does not exist in UTF-16, in an empty page, and in markup that does not end', () => {
    for (const page of [
      '\xff\xfe<\0h\0',
      '\xfe\xff\0<',
      '\0<\0h\0t',
      '',
      ' \n',
      '<!-- ',
      '<!-- -- >',
      '<head a="',
      '<html',
    ])
      assert.equal(inserted(page), null, page);
  });

  test('is looked for up to a maximum length', () => {
    const far = `<!--${'x'.repeat(lookedAtBytes)}--><head>`;
    assert.equal(inserted(far), null);
    assert.equal(inserted(' '.repeat(lookedAtBytes + 1)), null);
  });

  test('leaves the document as it was for any markup, once the script is taken out', () => {
    const piece = fc.oneof(
      { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '<!doctype html>',
          '<html>',
          '<html lang="x>y">',
          '<head>',
          '<HEAD a=b>',
          '</head>',
          '<body>',
          '</body>',
          '<title>t</title>',
          '<script>1</script>',
          '<!-- c -->',
          '<!-->',
          '<!x>',
          '<?y?>',
          '</z>',
          '</ >',
          '<p>',
          '<',
          '>',
          '"',
          ' ',
          '\n',
          '=',
          '/',
          '<meta charset=utf-8>',
          '<br/>',
        ),
      },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const page = Buffer.from(pieces.join('')).toString('latin1');
        const at = placeForScript(Buffer.from(page, 'latin1'), true);
        if (at === null) return;
        const changed = page.slice(0, at) + script + page.slice(at);
        assert.equal(changed.slice(0, at) + changed.slice(at + script.length), page);
        const [was, is] = [seen(page), seen(changed)];
        assert.equal(is.mode, was.mode);
        assert.deepEqual(is.before, []);
        assert.equal(is.parent, 'head');
        assert.deepEqual(is.tree, was.tree);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is within the page for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isWhole) => {
        const at = placeForScript(Buffer.from(bytes), isWhole);
        assert.ok(at === null || (at >= 0 && at <= bytes.length));
      }),
    );
  });
});
