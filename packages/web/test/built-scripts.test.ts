import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureBuild } from '../../server/src/pages/built/build.ts';

/** Newer than the oldest browsers that docs/compatibility.md names for pages. The bundler adapts syntax only. */
const newForPages = [
  /\bURL\.parse\(/u,
  /\bPromise\.try\(/u,
  /\bRegExp\.escape\(/u,
  /\bIterator\.|\.(?:values|keys|entries)\(\)\.(?:map|filter|some|every|find|take|drop|toArray|reduce)\(/u,
  /\bUint8Array\.from(?:Base64|Hex)\(/u,
  // WebKit has it, but it finds no character beyond U+FFFF by its property.
  /\(\?<[=!]/u,
  /\brequestIdleCallback\(|\bscheduler\.|\.requestClose\(|\bTemporal\./u,
];
/** Newer than the oldest browsers for the module. */
const newForModule = [
  ...newForPages,
  /\bObject\.hasOwn\(|\.at\(|\bstructuredClone\(|\.randomUUID\(|\.findLast/u,
  /\bAbortSignal\.(?:any|timeout)\(|\.to(?:Sorted|Spliced|Reversed|WellFormed)\(/u,
];

describe('the built scripts', () => {
  /** Text by file name. */
  let scripts: Map<string, string>;
  let ofModule: Map<string, string>;
  before(async () => {
    const folder = await ensureBuild();
    scripts = scriptsIn(join(folder, 'assets'));
    ofModule = new Map(['module', 'together', 'shims'].flatMap((name) => [...scriptsIn(join(folder, name))]));
  });

  it('import no script of a worker: WebKit would run it a second time', () => {
    const workers = [...scripts.values()].flatMap((text) =>
      [...text.matchAll(/new Worker\([^)]*?([\w-]+\.js)/gu)].map(([, name = '']) => name),
    );
    assert.ok(workers.length > 0 && workers.every((name) => scripts.has(name)), `${workers}`);
    for (const [name, text] of scripts)
      for (const worker of workers)
        assert.doesNotMatch(text, new RegExp(`(?:from|import)\\s*\\(?["'\`]\\./${worker}`, 'u'), name);
  });

  it('call nothing that the oldest browsers lack', () => {
    assert.ok(ofModule.size > 4);
    for (const [names, all] of [
      [newForPages, scripts],
      [newForModule, ofModule],
    ] as const)
      for (const [name, text] of all) for (const each of names) assert.doesNotMatch(text, each, name);
  });
});

function scriptsIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((each) => each.endsWith('.js'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}
