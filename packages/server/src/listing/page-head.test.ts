import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHead } from './page-head.ts';

const tag = '<meta name="service-owner" content="ada">';

describe('a proof tag in the head is read', () => {
  const pages: Record<string, string> = {
    'in a plain page': `<!doctype html><html><head>${tag}</head><body></body></html>`,
    'without html, head or body tags': `${tag}<p>Hello`,
    'after comments and white space': `  <!-- hello -->\n ${tag}`,
    'after an inline script that writes head tags': `<head><script>"</head><body>"</script>${tag}`,
    'between the end of head and the body, which moves it in': `<head></head>${tag}<body>`,
    'in other letters and quotes': "<HEAD><META CONTENT=' ada ' NAME=Service-Owner>",
    'after a template and a noscript': `<head><template><p></template><noscript></noscript>${tag}`,
    'after an unclosed meta': `<head><meta charset=utf-8 ><link rel=icon href=a.png>${tag}`,
  };
  for (const [name, html] of Object.entries(pages)) {
    test(name, () => assert.deepEqual(readHead(html).proofTags, ['ada']));
  }
});

describe('a proof tag anywhere else is ignored', () => {
  const pages: Record<string, string> = {
    'in the body': `<head></head><body>${tag}`,
    'in a body that nothing opened but text': `Hello ${tag}`,
    'in a body that a paragraph in the head opened': `<head><p>Hello</p>${tag}</head>`,
    'in a second head': `<head></head><body></body><head>${tag}</head>`,
    'in a comment': `<head><!-- ${tag} -->`,
    'in a comment that ends late': `<head><!-- -- > ${tag} -->`,
    'in a script': `<head><script>${tag}</script>`,
    'in a script with a comment in it': `<head><script><!-- <script> </script> ${tag} --></script>`,
    'in a style': `<head><style>${tag}</style>`,
    'in the title': `<head><title>${tag}</title>`,
    'in a template': `<head><template>${tag}</template>`,
    'in a template in a template': `<head><template><template></template>${tag}</template>`,
    'in a noscript': `<head><noscript>${tag}</noscript>`,
    'in an svg': `<head><svg>${tag}</svg>`,
    'in an attribute': `<head><meta name=description content='${tag}'>`,
    'in a frameset page': `<head></head><frameset>${tag}</frameset>`,
    'as a property': '<head><meta property="service-owner" content="ada">',
    'by another name':
      '<head><meta name="service-owners" content="ada"><meta name="x-service-owner" content="ada">',
    'with nothing in it': '<head><meta name="service-owner" content="  ">',
    'in an empty page': '',
  };
  for (const [name, html] of Object.entries(pages)) {
    test(name, () => assert.deepEqual(readHead(html).proofTags, []));
  }
});

test('all proof tags are returned, in order', () => {
  const html = `<head>${tag}<meta name="service-owner" content="&#98;ob">`;
  assert.deepEqual(readHead(html).proofTags, ['ada', 'bob']);
});

test('title, descriptions, icon, picture and boards block are read', () => {
  const head = readHead(`<!doctype html><html><head>
    <title>
      Pong &amp;
      friends</title><title>Second</title>
    <meta name="Description" content=" A game. ">
    <meta property="og:title" content="Pong"><meta property="og:description" content="Two bats.">
    <meta property="og:image" content="/cover.png">
    <link rel="stylesheet" href="a.css"><link rel="shortcut ICON" href="icons/pong.svg">
    <script type="module">1</script>
    <script type=" Application/Service+JSON ">{ "boards": [] }</script>
    <script type="application/service+json">{ "boards": [1] }</script>
  </head><body><h1>Pong</h1></body></html>`);
  assert.deepEqual(head, {
    title: 'Pong & friends',
    description: 'A game.',
    proofTags: [],
    icon: 'icons/pong.svg',
    ogImage: '/cover.png',
    ogTitle: 'Pong',
    ogDescription: 'Two bats.',
    boardsBlock: '{ "boards": [] }',
  });
});

test('an empty page has no values', () => {
  assert.deepEqual(readHead(''), {
    title: null,
    description: null,
    proofTags: [],
    icon: null,
    ogImage: null,
    ogTitle: null,
    ogDescription: null,
    boardsBlock: null,
  });
});

test('a boards block in the body is ignored', () => {
  assert.equal(readHead('<body><script type="application/service+json">{}</script>').boardsBlock, null);
});

test('long values are cut to valid Unicode', () => {
  const { title, proofTags } = readHead(
    `<title>x${'🙂'.repeat(2_000)}</title>${'<meta name="service-owner" content="a">'.repeat(100)}`,
  );
  assert.equal(title?.length, 2_000);
  assert.ok(title?.isWellFormed());
  assert.equal(proofTags.length, 20);
});

describe('a page made to be slow to parse is read in time', () => {
  const size = 1024 * 1024;
  const fill = (start: string, repeated: string) =>
    start + repeated.repeat(Math.floor((size - start.length) / repeated.length));
  const formats = Array.from({ length: 1_500 }, (_, n) => `<b a=${n}>`).join('');
  const pages: Record<string, string> = {
    'formatting opened again in each paragraph': fill(`${tag}<template>${formats}`, '<p>'),
    'deep nesting searched for each end tag': fill(`${tag}<template>${'<div>'.repeat(1_900)}`, '</x>'),
    'a million elements': fill(tag, '<meta>'),
    'templates in templates': fill(tag, '<template>'),
    'text moved out of a table': fill(`${tag}<template><table>`, 'x '),
    'html tags that add attributes': fill(tag, '<html b=1>'),
  };
  for (const [name, html] of Object.entries(pages)) {
    // Quadratic work on these pages takes minutes. The limit is generous, so that a busy machine passes too.
    test(name, { timeout: 20_000 }, () => assert.deepEqual(readHead(html).proofTags, ['ada']));
  }
});
