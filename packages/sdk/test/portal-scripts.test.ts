import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portals } from '@spaceport/contract/portals';
import { answerPortals } from '../src/portal-scripts.ts';

const shims = { poki: '/service/shims/poki.js?abc' };
const poki = `https://${portals.poki.sdk}`;

/** Returns a frame with a class of script elements that has the parts that the module uses. */
function elements() {
  class Element {
    attributes = new Map<string, unknown>();
    setAttribute(name: string, value: unknown): void {
      this.attributes.set(name.toLowerCase(), value);
    }
  }
  class HTMLScriptElement extends Element {
    get src() {
      return String(this.attributes.get('src') ?? '');
    }
    set src(value: unknown) {
      this.attributes.set('src', value);
    }
  }
  return { frame: { HTMLScriptElement } as unknown as typeof globalThis, HTMLScriptElement };
}

test('a script element with the address of a portal’s SDK loads our shim, however the address is set', () => {
  const { frame, HTMLScriptElement } = elements();
  answerPortals(frame, shims);
  const [one, other] = [new HTMLScriptElement(), new HTMLScriptElement()];
  one.src = `${poki}?v=1`;
  other.setAttribute('SRC', `//${portals.poki.sdk}`);
  assert.equal(one.src, shims.poki);
  assert.equal(other.src, shims.poki);
});

test('any other address is kept, and every address is kept when the space turned shims off', () => {
  const given = { toString: () => 'https://example.com/game.js' };
  for (const [value, told] of [
    [given, shims],
    [`https://${portals.crazygames.sdk}`, shims],
    [poki, undefined],
  ] as const) {
    const { frame, HTMLScriptElement } = elements();
    answerPortals(frame, told);
    const script = new HTMLScriptElement();
    script.src = value;
    assert.equal(script.attributes.get('src'), value);
    script.setAttribute('src', value as string);
    assert.equal(script.attributes.get('src'), value);
  }
  const { frame, HTMLScriptElement } = elements();
  answerPortals(frame, shims);
  const script = new HTMLScriptElement();
  script.setAttribute('data-src', poki);
  assert.equal(script.attributes.get('data-src'), poki);
});
