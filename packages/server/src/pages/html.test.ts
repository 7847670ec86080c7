import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { html } from './html.ts';

describe('a page template', () => {
  it('escapes values in text and in attributes', () => {
    const name = `<script>alert("1")</script> & 'co'`;
    assert.equal(
      html`<p title="${name}">${name}</p>`.text,
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;</p>',
    );
  });

  it('keeps markup, joins lists and omits empty values', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    assert.equal(
      html`<ul>${items}</ul>${null}${undefined}${false}${0}`.text,
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
  });

  it('never turns text into an element or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { childNodes } = parseFragment(html`<p title="${text}">${text}</p>`.text);
        const [p] = childNodes;
        assert.equal(childNodes.length, 1);
        assert.ok(p && 'attrs' in p);
        assert.deepEqual(
          p.attrs.map(({ name }) => name),
          ['title'],
        );
        assert.ok(p.childNodes.every(({ nodeName }) => nodeName === '#text'));
      }),
    );
  });
});
