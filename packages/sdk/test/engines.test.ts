import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { start } from '../src/start.ts';
import type { Spaceport } from '../src/types.ts';
import { loadSecond } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

const engines = new URL('../../../examples/engines/', import.meta.url);
const read = (path: string) => readFile(new URL(path, engines), 'utf8');
const module = (): Spaceport => start(null, fakeWindow().frame, loadSecond);
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

interface ForGodot {
  request(id: number, method: string, args: string, answer: (...given: unknown[]) => void): void;
  listen(hear: (...given: unknown[]) => void): void;
  state(): string;
}

describe('the browser script of a binding', () => {
  test('for Godot answers by call number, passes on events and returns known values', async () => {
    const script = /_BRIDGE := """([\s\S]+?)"""/u.exec(
      await read('godot/addons/spaceport/spaceport.gd'),
    )?.[1];
    assert.ok(script);
    const spaceport = module();
    const heard = new Map<string, (value: unknown) => void>();
    const on = (name: string, listener: (value: unknown) => void) => heard.set(name, listener);
    const window = {
      Spaceport: Object.assign(Object.create(spaceport), { on }),
    } as { Spaceport?: unknown; spaceportForGodot?: ForGodot };
    runInNewContext(script, { window, JSON, String });
    const bridge = window.spaceportForGodot;
    assert.ok(bridge);
    const answers: unknown[][] = [];
    bridge.request(1, 'saves.set', '["slot", {"level": 3}]', (...given) => answers.push(given));
    bridge.request(2, 'no.such', '[]', (...given) => answers.push(given));
    await settled();
    const [saved, failed] = answers.sort(([one], [other]) => Number(one) - Number(other));
    assert.deepEqual(saved?.slice(0, 2), [1, '']);
    assert.deepEqual(JSON.parse(String(saved?.[2])).data, { level: 3 });
    assert.deepEqual(failed?.slice(0, 2), [2, 'unsupported']);
    assert.equal(JSON.parse(bridge.state()).player.guest, true);
    const events: unknown[][] = [];
    bridge.listen((...given) => events.push(given));
    assert.deepEqual([...heard.keys()], ['pause', 'resume', 'mute', 'player', 'online', 'update']);
    heard.get('mute')?.(true);
    heard.get('pause')?.(null);
    assert.deepEqual(events, [
      ['mute', 'true'],
      ['pause', 'null'],
    ]);
    const alone: { spaceportForGodot?: ForGodot } = {};
    runInNewContext(script, { window: alone, JSON, String });
    assert.equal(alone.spaceportForGodot, undefined);
  });

  test('for Unity answers by call number, and passes on events', async () => {
    const sent: { object: string; method: string; said: Record<string, unknown> }[] = [];
    const library: Record<string, (...given: unknown[]) => unknown> = {};
    const window: { Spaceport?: unknown } = {};
    runInNewContext(await read('unity/Assets/Plugins/Spaceport/Spaceport.jslib'), {
      window,
      JSON,
      String,
      LibraryManager: { library },
      mergeInto: Object.assign,
      UTF8ToString: (text: string) => text,
      SendMessage: (object: string, method: string, json: string) =>
        sent.push({ object, method, said: JSON.parse(json) }),
    });
    const { SpaceportIsThere, SpaceportCall, SpaceportListen } = library;
    assert.ok(SpaceportIsThere && SpaceportCall && SpaceportListen);
    assert.equal(SpaceportIsThere(), 0);
    const heard = new Map<string, (value: unknown) => void>();
    const on = (name: string, listener: (value: unknown) => void) => heard.set(name, listener);
    window.Spaceport = Object.assign(Object.create(module()), { on });
    assert.equal(SpaceportIsThere(), 1);
    SpaceportCall(7, 'scores.submit', '["points", 12]');
    SpaceportCall(8, 'player.token', '[]');
    await settled();
    SpaceportListen();
    heard.get('player')?.({ guest: true });
    assert.ok(sent.every(({ object }) => object === 'Spaceport'));
    const answers = sent.filter(({ method }) => method === 'OnAnswer').map(({ said }) => said);
    const won = answers.find(({ id }) => id === 7);
    assert.equal(won?.code, '');
    assert.equal(JSON.parse(String(won?.text)).best, 12);
    assert.notEqual(answers.find(({ id }) => id === 8)?.code, '');
    assert.deepEqual(sent.at(-1), {
      object: 'Spaceport',
      method: 'OnEvent',
      said: { name: 'player', text: '{"guest":true}' },
    });
  });
});
