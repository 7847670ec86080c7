import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsualError } from './usual-error.ts';

const blocked = (url: string) =>
  `Loading plugin data from '${url}' violates the following Content Security Policy directive: "object-src 'none'". The action has been blocked.`;

test('errors that browsers raise by their own rules are usual, and others of the same kind are not', () => {
  for (const text of [
    "NotAllowedError: play() failed because the user didn't interact with the document first.",
    'The AudioContext was not allowed to start. It must be resumed (or created) after a user gesture.',
    'Uncaught Error: ResizeObserver loop limit exceeded',
    blocked('http://moon.play.localhost/films/game.swf'),
    blocked('http://moon.play.localhost/GAME.SWF?v=2'),
  ])
    assert.ok(isUsualError(text), text);
  for (const text of [
    'NotSupportedError: Failed to load because no supported source was found.',
    'SecurityError: Failed to register a ServiceWorker: The script has an unsupported MIME type',
    'TypeError: new ResizeObserver loop is not a function',
    // The browser would show these in the page.
    blocked('http://moon.play.localhost/manual.pdf'),
    blocked('http://moon.play.localhost/frame.html?film=game.swf'),
  ])
    assert.ok(!isUsualError(text), text);
});
