import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepFocus } from '../src/keep-focus.ts';

/** A window with one element that can have the focus. `clock` is the time of its events, in milliseconds. */
function fakePage() {
  const clock = { now: 0 };
  const body = {};
  const element = {
    focus() {
      document.activeElement = element;
    },
  };
  const document: { body: object; activeElement: object | null } = { body, activeElement: element };
  const frame = Object.assign(new EventTarget(), { document });
  const tell = (type: string, target: object = frame) => {
    const event = new Event(type);
    Object.defineProperty(event, 'timeStamp', { value: clock.now });
    Object.defineProperty(event, 'target', { value: target });
    frame.dispatchEvent(event);
  };
  keepFocus(frame as unknown as Window);
  return { clock, body, element, document, tell };
}

test('an element has the focus again when the page around the frame gives it back', () => {
  const { body, element, document, tell } = fakePage();
  document.activeElement = body;
  tell('focusout', element);
  tell('blur');
  tell('focus');
  assert.equal(document.activeElement, element);
});

test('an element that lost the focus within the frame stays without it', () => {
  const { clock, body, element, document, tell } = fakePage();
  document.activeElement = body;
  tell('focusout', element);
  clock.now = 5_000;
  tell('blur');
  tell('focus');
  assert.equal(document.activeElement, body);
});

test('an element that has the focus keeps it', () => {
  const { element, document, tell } = fakePage();
  const other = {};
  tell('focusout', element);
  tell('blur');
  document.activeElement = other;
  tell('focus');
  assert.equal(document.activeElement, other);
});
