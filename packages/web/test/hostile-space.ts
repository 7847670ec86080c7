import type { Files } from '../../server/test/files.ts';

/**
 * Tries all ways out of a frame. `results` has the outcome of each attempt: `reached` if it got something,
 * the name of the error, or `nothing`. The first attempt is allowed: it shows that a success would be seen.
 */
const attack = `
const app = location.ancestorOrigins[0];
window.results = {};
async function attempt(name, action) {
  const late = new Promise((resolve) => setTimeout(resolve, 3000, null));
  try {
    const got = await Promise.race([action(), late]);
    results[name] = got === null || got === undefined || got === false ? 'nothing' : 'reached';
  } catch (error) {
    results[name] = error.name;
  }
}
function add(html) {
  const holder = document.createElement('div');
  holder.innerHTML = html;
  document.body.append(holder);
  return holder.firstChild;
}
(async () => {
  await attempt('its own document', () => document.body);
  await attempt('its own storage', () => { localStorage.setItem('own', '1'); });
  await attempt('the page', () => parent.document.body);
  await attempt('its cookies', () => parent.document.cookie + 'x');
  await attempt('its storage', () => parent.localStorage);
  await attempt('its functions', () => parent.eval('1'));
  await attempt('its address', () => top.location.href);
  await attempt('its frame element', () => window.frameElement);
  await attempt('a shared domain', () => { document.domain = 'localhost'; return parent.document.body; });
  await attempt('a window', () => open('about:blank'));
  await attempt('a window of the service', () => open(app + '/settings', 'other'));
  await attempt('the page, by its address', () => { top.location = app + '/?hostile=1'; });
  await attempt('the page, replaced', () => { top.location.replace(app + '/?hostile=2'); });
  await attempt('the page, as a script', () => { top.location = 'javascript:document.title="owned"'; });
  await attempt('the page, opened over it', () => open(app + '/?hostile=3', '_top'));
  await attempt('the page, by a link', () => { add('<a target="_top" href="' + app + '/?hostile=4">x</a>').click(); });
  await attempt('the page, by a form', () => { add('<form target="_parent" method="post" action="' + app + '/sign-out"></form>').submit(); });
  await attempt('the page, by history', () => { history.go(-1); });
  await attempt('a cookie for the service', () => { document.cookie = 'hostile=1; domain=localhost; path=/'; });
  await attempt('the account, read', () => fetch(app + '/api/agent/me', { credentials: 'include' }).then((answer) => answer.text()));
  for (const path of ['/sign-out', '/api/spaces/' + window.target + '/secret', '/api/gallery/' + window.target + '/report'])
    await attempt('a call of ' + path.split('/').pop(), () => fetch(app + path, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"reason":"spam"}' }).then(() => null));
  await attempt('a page of the service, framed', async () => {
    const frame = add('<iframe src="' + app + '/settings"></iframe>');
    await new Promise((resolve) => { frame.onload = resolve; });
    return frame.contentDocument;
  });
  await attempt('a script of the service as a worker', () => new Worker(app + '/early.js'));
  await attempt('the camera', () => navigator.mediaDevices.getUserMedia({ video: true }));
  await attempt('the place', () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, () => reject(new DOMException('', 'NotAllowedError')))));
  await attempt('the pointer', () => document.body.requestPointerLock());
  await attempt('the screen', () => document.body.requestFullscreen());
  await attempt('a dialog', () => { alert('Your session has ended'); return confirm('Sign in again?') || prompt('Password'); });
  await attempt('the page, by messages', () => {
    for (const message of [{ type: 'toast', text: '<img src=x onerror=owned()>' }, { type: 'navigate', url: app }, 'close', null])
      parent.postMessage(message, '*');
  });
  console.log('attempts ' + JSON.stringify(results));
})();
`;

/**
 * Returns a space that passes the safety check and then runs a script that it fetched. `target` is another
 * creator's space.
 */
export function hostileSpace(target: string): Files {
  return {
    'index.html':
      '<!doctype html><title>Game</title><body><h1>A game</h1><script src="start.js"></script></body>',
    'start.js': `window.target = ${JSON.stringify(target)};
fetch('level.txt').then((level) => level.text()).then((level) => (0, eval)(level));`,
    'level.txt': attack,
  };
}
