import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './checked-files.fixture.ts';
import { offSiteRedirect } from './off-site-redirect.ts';

const away = 'https://away.example/';

const refusedPages: Readonly<Record<string, string>> = {
  'a refresh': `<meta http-equiv="refresh" content="0;url=${away}">`,
  'a refresh written otherwise': `<META HTTP-EQUIV=Refresh CONTENT="3, URL='//away.example/x'">`,
  'a refresh against another base':
    '<base href="https://away.example"><meta http-equiv="refresh" content="0;url=x">',
  'a handler of the body': `<body onload="location.href='${away}'">`,
};

const refusedScripts: Readonly<Record<string, string>> = {
  'an assignment': `location = '${away}'`,
  'an assignment to href': `window.location.href = "${away}";`,
  'the top window': `top.location = \`${away}?from=\${location}\`;`,
  replace: `location.replace('${away}' + location.search)`,
  assign: `document.location.assign('//away.example')`,
  'names in brackets': `window['location']['href'] = '${away}'`,
  'a constant': `const target = '${away}'; location.href = target`,
  'a sum': `location.href = 'https://' + 'away.example/' + path`,
  'a window opened over this one': `window.open('${away}', '_self')`,
  'a function called on the spot': `(function () { location = '${away}' })()`,
  'an arrow called on the spot': `(() => { location = '${away}' })();`,
  'a function called by call': `(function () { location = '${away}' }).call(this)`,
  'a timer': `setTimeout(() => { location.href = '${away}' }, 10)`,
  'a load event': `addEventListener('load', function () { location.href = '${away}' })`,
  'a load handler': `window.onload = () => { location.href = '${away}' }`,
  'a function called by its name': `function leave() { location.href = '${away}' } if (true) leave();`,
  'a function given to a timer': `const leave = () => { location.href = '${away}' }; setTimeout(leave, 500)`,
  'a module': `import './a.js'; location.href = '${away}'; export {}`,
  'a test for a name of its own': `if (!canLeave) location.href = '${away}'`,
  'a test for what some browsers lack': `if (!canvas.getContext('webgl2')) location.href = '${away}'`,
  'a test that every browser passes': `if (document.createElement('canvas').getContext) location.href = '${away}'`,
  'a test that only begins with one': `if (!window.Worker || isLate) location.href = '${away}'`,
  'the branch of browsers that can play': `window.WebAssembly ? location.assign('${away}') : play()`,
};

for (const [what, page] of Object.entries(refusedPages)) {
  test(`a page that redirects by ${what} is refused`, async () => {
    const finding = await judge(offSiteRedirect, 'index.html', page);
    assert.equal(finding?.severity, 'refuse');
    assert.match(finding?.message ?? '', /away\.example/u);
  });
}

for (const [what, script] of Object.entries(refusedScripts)) {
  test(`a script that redirects by ${what} is refused, in a page and in a file`, async () => {
    const inline = await judge(offSiteRedirect, 'index.html', `<script>${script}</script>`);
    assert.equal(inline?.severity, 'refuse');
    assert.equal((await judge(offSiteRedirect, 'js/main.js', script))?.severity, 'refuse');
  });
}

const mentioned: Readonly<Record<string, string>> = {
  'a click': `button.onclick = () => { location.href = '${away}' }`,
  'another event': `addEventListener('click', function () { location.href = '${away}' })`,
  'a function that nobody calls here': `export function credits() { location.assign('${away}') }`,
  'a script that does not parse': `const = ; location.href = '${away}'`,
  'a browser without a canvas': `if (!document.createElement("canvas").getContext) { window.open('${away}', '_self'); }`,
  'a browser without a canvas in its document': `if (!('getContext' in document.createElement('canvas'))) location = '${away}'`,
  'a browser without WebAssembly': `if (typeof WebAssembly === 'undefined') location.href = '${away}'; else play()`,
  'a browser that lacks one of two': `(!window.Worker || !window.WebGLRenderingContext) && location.replace('${away}')`,
  'a browser without timers for frames': `window.requestAnimationFrame ? play() : location.assign('${away}')`,
};

for (const [what, script] of Object.entries(mentioned)) {
  test(`a script that may redirect by ${what} is mentioned`, async () => {
    assert.equal((await judge(offSiteRedirect, 'js/main.js', script))?.severity, 'warn');
  });
}

const harmless = [
  `<a href="${away}" target="_blank">Our other games</a>`,
  '<meta http-equiv="refresh" content="5">',
  '<meta http-equiv="refresh" content="0;url=/menu.html">',
  '<script>location.href = "https://my-game.play.example/level2.html"</script>',
  '<script>location.href = "level2.html"; location.hash = "https://away.example"</script>',
  '<script>const url = "https://away.example"; fetch(url)</script>',
  '<script>location.href = "https://" + location.host + "/x"</script>',
  '<script>window.open("https://away.example", "_blank")</script>',
  `<script>player.location = '${away}'; level.location.href = '${away}'</script>`,
  `<script type="text/template">location = '${away}'</script>`,
  `<script>// location = '${away}'\nconst text = "location = '${away}'"</script>`,
];

for (const page of harmless) {
  test(`let through: ${page.slice(0, 60)}`, async () => {
    assert.equal(await judge(offSiteRedirect, 'index.html', page), null);
  });
}
