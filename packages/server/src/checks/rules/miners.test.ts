import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { judge } from './checked-files.fixture.ts';
import { miners } from './miners.ts';

const refused = [
  '<script src="https://coinhive.com/lib/coinhive.min.js"></script>',
  'var miner = new CoinHive.Anonymous("key"); miner.start();',
  '<script src="//coin-hive.com/lib/miner.js"></script>',
  'importScripts("https://webminepool.com/lib/base.js")',
  'load("https://load.jsecoin.com/load/1/2/0/0/")',
  'new CryptoLoot.Anonymous("key")',
  'https://crypto-loot.com/lib/miner.min.js',
  'wss://minero.cc/proxy',
  'new deepMiner.Anonymous("x")',
  'const pool = "stratum+tcp://pool.example:3333";',
  'Module._cryptonight_hash(input)',
  'Module.asm["_hash_cn"]',
  '{"algo": "cryptonight-lite", "pool": "wss://x"}',
];

for (const code of refused) {
  test(`a miner is refused: ${code}`, async () => {
    assert.equal((await judge(miners, 'game.js', code))?.severity, 'refuse');
  });
}

test('a miner is found in wasm, in data, deep in large files and in compressed ones', async () => {
  const wasm = Buffer.concat([
    Buffer.from('\0asm\x01\0\0\0', 'latin1'),
    Buffer.alloc(12_000_000, 7),
    Buffer.from('\x10cryptonight_hash\0', 'latin1'),
    Buffer.alloc(1_000, 7),
  ]);
  assert.equal((await judge(miners, 'x.wasm', wasm))?.severity, 'refuse');
  assert.equal((await judge(miners, 'x.bin.gz', gzipSync(wasm)))?.severity, 'refuse');
});

test('a miner is found across the edges of chunks', async () => {
  for (let before = 0; before < 320; before++) {
    const code = `${' '.repeat(before)}stratum+tcp://pool.example`;
    assert.equal((await judge(miners, 'a.txt', code))?.severity, 'refuse', String(before));
  }
});

test('games about mining, and the words alone, are let through', async () => {
  const games = [
    'class DeepMiner { dig() {} } const deepMiner = new DeepMiner();',
    'const loot = ["crypto loot", "crypto-loot chest"]; // El Minero',
    'import { Minero } from "./minero.ts"; const stratum = layers[2];',
    '/* a hive of coins: coinHive is our bee game */ const coinHive = 1;',
    'title = "Crypto Night"; theme = "cryptonight";',
  ];
  for (const game of games) assert.equal(await judge(miners, 'game.js', game), null, game);
});
