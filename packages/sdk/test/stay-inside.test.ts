import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stayInside } from '../src/stay-inside.ts';

/** A frame of a space. `goes` returns whether the browser goes on to an address. */
function fakeFrame() {
  const navigation = new EventTarget();
  const told: string[] = [];
  const console = { info: (text: string) => told.push(text) };
  const frame = { navigation, location: { origin: 'https://moon.play.example' }, console };
  stayInside(frame as unknown as Window & typeof globalThis);
  const goes = (url: string, downloadRequest: string | null = null) => {
    const event = new Event('navigate', { cancelable: true });
    return navigation.dispatchEvent(Object.assign(event, { destination: { url }, downloadRequest }));
  };
  return { goes, told };
}

test('a frame opens other pages of its space, and nothing else', () => {
  const { goes, told } = fakeFrame();
  for (const url of ['https://moon.play.example/~7/two.html?x#y', 'about:blank']) assert.ok(goes(url), url);
  assert.deepEqual(told, []);
  const others = [
    'https://example.org/',
    'https://moon.play.example.org/',
    'http://moon.play.example/',
    'mailto:mira@example.org',
    'data:text/html,hello',
    'blob:https://moon.play.example/0b2e0b5c',
  ];
  for (const url of others) assert.ok(!goes(url), url);
  assert.equal(told.length, others.length);
});

test('a download is no other page', () => {
  const { goes } = fakeFrame();
  assert.ok(goes('blob:https://moon.play.example/0b2e0b5c', 'save.txt'));
});

test('a browser without the Navigation API goes where it is led', () => {
  stayInside({ location: { origin: 'https://moon.play.example' } } as Window & typeof globalThis);
});
