import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { issueSecret } from '../secrets/secret.ts';
import { createInspector, type Inspection } from './inspect.ts';

function inspect(...chunks: (Uint8Array | string)[]): Inspection {
  const inspector = createInspector();
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    inspector.update(bytes);
    // As a store does after it has written them: the inspector must not need a chunk later.
    bytes.fill(0);
  }
  return inspector.result();
}

describe('scripts that share memory', () => {
  for (const script of [
    'const b = new SharedArrayBuffer(1024);',
    'new   SharedArrayBuffer(n)',
    'self.b=new SharedArrayBuffer(16)',
    'let b = new globalThis.SharedArrayBuffer( 1 << 20 )',
    'wasmMemory=new WebAssembly.Memory({initial:INITIAL_MEMORY/65536,maximum:32768,shared:true})',
    'm=new WebAssembly.Memory({initial:e,maximum:t,shared:!0})',
    `new WebAssembly.Memory({\n  "initial": 1,\n  "maximum": 2,\n  'shared' : true\n})`,
    'typeof SharedArrayBuffer; const probe = new SharedArrayBuffer(1); new SharedArrayBuffer(8)',
  ]) {
    test(script, () => assert.equal(inspect(script).sharedMemory, true));
  }
});

describe('scripts that only test for shared memory', () => {
  for (const script of [
    "typeof SharedArrayBuffer !== 'undefined'",
    "'SharedArrayBuffer' in globalThis",
    'if (x instanceof SharedArrayBuffer) return;',
    'self.postMessage(new SharedArrayBuffer(1))',
    'try { new SharedArrayBuffer( 0 ) } catch {}',
    'new WebAssembly.Memory({initial:1,maximum:2})',
    'new WebAssembly.Memory({initial:1,maximum:2,shared:false})',
    'new WebAssembly.Memory({ shared: true, initial: 0, maximum: 0 }).buffer.constructor',
    'new WebAssembly.Memory({initial:1}); const options = { shared: true }',
    'renewSharedArrayBuffer(12)',
    'new SharedArrayBufferPool(12)',
    '',
  ]) {
    test(script, () => assert.equal(inspect(script).sharedMemory, false));
  }

  test('truncated at any place', () => {
    const script = 'postMessage(new SharedArrayBuffer(1)); new WebAssembly.Memory({shared:true,maximum:0})';
    for (let end = 0; end <= script.length; end += 1) {
      assert.equal(inspect(script.slice(0, end)).sharedMemory, false, script.slice(0, end));
    }
  });
});

const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const section = (id: number, body: number[]) => [id, ...leb(body.length), ...body];
const imported = (...description: number[]) => [
  3,
  ...Buffer.from('env'),
  1,
  ...Buffer.from('m'),
  ...description,
];
const memories = (...limits: number[]) => section(5, [1, ...limits]);
const importsOfEveryKind = [
  imported(0, 5),
  imported(1, 0x70, 1, 10, 20),
  imported(1, 0x63, 0xf0, 0x00, 0, 10),
  imported(3, 0x7f, 1),
  imported(3, 0x64, 0x05, 0),
  imported(4, 0, 3),
];

describe('wasm modules', () => {
  const shared: Record<string, number[]> = {
    'a shared memory': [...magic, ...memories(3, 1, 2)],
    'a shared memory of 64 bits': [...magic, ...memories(7, 1, 2)],
    'a shared memory behind other sections': [
      ...magic,
      ...section(
        0,
        Array.from({ length: 300 }, () => 5),
      ),
      ...section(1, [0]),
      ...memories(3, 1, 2),
    ],
    'the second of two memories': [...magic, ...section(5, [2, 1, 1, 2, 3, 1, 2])],
    'an imported shared memory': [...magic, ...section(2, [1, ...imported(2, 3, 1, 2)])],
    'an imported shared memory behind every other import': [
      ...magic,
      ...section(2, [importsOfEveryKind.length + 1, ...importsOfEveryKind.flat(), ...imported(2, 3, 1, 2)]),
    ],
    'lengths padded to five bytes, as linkers write them': [
      ...magic,
      5,
      0x84,
      0x80,
      0x80,
      0x80,
      0x00,
      1,
      3,
      1,
      2,
    ],
  };
  for (const [name, bytes] of Object.entries(shared)) {
    test(`${name}: shares`, () => assert.equal(inspect(Uint8Array.from(bytes)).sharedMemory, true));
  }

  const own: Record<string, number[]> = {
    'a memory of its own': [...magic, ...memories(1, 1, 2)],
    'a memory without a maximum': [...magic, ...memories(0, 1)],
    'imports of every other kind': [
      ...magic,
      ...section(2, [importsOfEveryKind.length, ...importsOfEveryKind.flat()]),
      ...memories(0, 1),
    ],
    'code that looks like a shared memory': [...magic, ...section(10, memories(3, 1, 2))],
    'a shared table, which is no memory': [...magic, ...section(2, [1, ...imported(1, 0x70, 3, 1, 2)])],
    'a length that never ends': [...magic, 5, ...Array.from({ length: 40 }, () => 0xff)],
    'an import longer than its section': [...magic, ...section(2, [1, 0x7f, 0x7f]), ...memories(3, 1, 2)],
    'an import of an unknown kind': [...magic, ...section(2, [1, ...imported(9)]), ...memories(3, 1, 2)],
    'another version': [...magic.slice(0, 4), 2, 0, 0, 0, ...memories(3, 1, 2)],
    'something before the magic': [0, ...magic, ...memories(3, 1, 2)],
  };
  for (const [name, bytes] of Object.entries(own)) {
    test(`${name}: does not share`, () => assert.equal(inspect(Uint8Array.from(bytes)).sharedMemory, false));
  }

  test('garbage after the magic number is never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        inspect(Uint8Array.from([...magic, ...garbage]));
      }),
    );
  });
});

describe('secrets', () => {
  test('are found, each once, if their checksum is right', () => {
    const token = issueSecret('token');
    const claim = issueSecret('claim');
    const wrong = `${token.slice(0, -6)}${token.endsWith('000000') ? '111111' : '000000'}`;
    const found = inspect(`a="${token}",b='${claim}${claim}' ${wrong} ${token}`).secretCandidates;
    assert.deepEqual(found, [token, claim]);
  });

  test('are found when another prefix comes directly before them', () => {
    const token = issueSecret('token');
    assert.deepEqual(inspect(`sp_secret_${token}`).secretCandidates, [token]);
  });

  test('are found in binary files', () => {
    const secret = issueSecret('secret');
    const found = inspect(randomBytes(100_000), secret, randomBytes(100_000)).secretCandidates;
    assert.deepEqual(found, [secret]);
  });

  test('beyond the number that is looked up are reported as unread', () => {
    const of = (count: number) => Array.from({ length: count }, () => issueSecret('device')).join(' ');
    assert.equal(inspect(of(100)).unreadSecrets, false);
    assert.equal(inspect(of(150)).unreadSecrets, true);
  });

  test('that are only prefixes cost at most ten thousand checks, and do not hide a later one', () => {
    const token = issueSecret('token');
    for (const start of ['sp_', 'sp_x', 'sp_token', 'tok_sp_'])
      assert.deepEqual(inspect(start.repeat(20_000), token).secretCandidates, [token], start);
    assert.equal(inspect('sp_token_'.repeat(9_000)).unreadSecrets, false);
    assert.equal(inspect('sp_token_'.repeat(20_000), token).unreadSecrets, true);
  });
});

test('the result does not depend on how the bytes are split into chunks', () => {
  const secret = issueSecret('token');
  const contents = [
    Buffer.concat([
      randomBytes(40_000),
      Buffer.from(`x=${secret};new SharedArrayBuffer(64)`),
      randomBytes(20_000),
    ]),
    Buffer.from(`${' '.repeat(16_350)}new WebAssembly.Memory({initial:1,maximum:9,shared:true})${secret}`),
    Buffer.from([
      ...magic,
      ...section(
        0,
        Array.from({ length: 50_000 }, () => 0),
      ),
      ...memories(3, 1, 2),
    ]),
    Buffer.from(`${'x'.repeat(16_370)} new SharedArrayBuffer(1)`),
  ];
  for (const content of contents) {
    const whole = inspect(content);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: content.length }), { maxLength: 30 }), (places) => {
        const cuts = [0, ...places.toSorted((one, two) => one - two), content.length];
        const chunks = cuts.slice(1).map((end, index) => content.subarray(cuts[index], end));
        assert.deepEqual(inspect(...chunks), whole);
      }),
      { numRuns: 60 },
    );
    assert.deepEqual(inspect(...Array.from(content, (byte) => Uint8Array.of(byte))), whole);
  }
});

test('a file made to be slow to inspect is inspected in time', () => {
  const began = performance.now();
  const manyWords = Buffer.alloc(20_000_000, 'new SharedArrayBuffer(0)WebAssembly.Memory({');
  const manySections = Buffer.concat([Buffer.from(magic), Buffer.alloc(20_000_000)]);
  const manyStarts = Buffer.alloc(5_000_000, 'sp_token_');
  for (const content of [manyWords, manySections, manyStarts]) inspect(content);
  // It takes about 500 ms alone, and would take minutes without the limits.
  assert.ok(performance.now() - began < 20_000);
});

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}
