import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { judge, severities, versionOf } from './checked-files.fixture.ts';
import { executables } from './executables.ts';

const programs: Readonly<Record<string, Uint8Array>> = {
  'a Windows program': pe(128),
  'a Windows program whose header lies far in': pe(200_000),
  'a Linux program': elf(),
  'a macOS program': words([0xcffaedfe, 0x07000001, 0x03000000, 0x02000000, 0, 0, 0, 0]),
  'a macOS program for two processors': words([0xcafebabe, 2, 0x01000007, 3, 0, 0, 0, 0]),
  'an Android program': Buffer.from('dex\n035\0rest'),
  'a macOS disk image': Buffer.concat([
    Buffer.alloc(5_000, 1),
    words([0x6b6f6c79, 4, 512]),
    Buffer.alloc(500),
  ]),
  'a Windows installer': msi(),
  'a Windows shortcut': Buffer.from('L\0\0\0\x01\x14\x02\0\0\0\0\0', 'latin1'),
  'an archive with a program': zip(['readme.txt', 'bin/setup.EXE']),
  'an archive with a screen saver': zip(['a/b.scr']),
  'an archive with a script': zip(['start.bat ']),
  'an Android package': zip(['META-INF/MANIFEST.MF', 'AndroidManifest.xml', 'classes.dex']),
  'a tar with a program': tar(['a.txt', 'deep/tool.exe']),
  'a compressed tar with a program': gzipSync(tar(['a.txt', 'deep/tool.exe'])),
  'a compressed program': gzipSync(elf()),
};

for (const [what, bytes] of Object.entries(programs)) {
  test(`${what} is refused under a harmless name`, async () => {
    const finding = await judge(executables, 'assets/level.dat', bytes);
    assert.equal(finding?.severity, 'refuse');
    assert.equal(finding?.path, 'assets/level.dat');
    assert.match(finding?.fix ?? '', /Leave it out/u);
  });
}

const harmless: Readonly<Record<string, readonly [string, Uint8Array]>> = {
  wasm: ['game.wasm', Buffer.from('\0asm\x01\0\0\0', 'latin1')],
  'data that begins with MZ': ['MZ.dat', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 0x41)])],
  'a DOS program for an emulator': ['dos/game.com', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300)])],
  'a Java class': ['Game.class', words([0xcafebabe, 52, 0, 0, 0, 0, 0, 0])],
  'a zip of assets': ['assets.zip', zip(['img/a.png', 'docs/executable.txt', 'site.com', 'a.exe.txt'])],
  "Python's library": [
    'python_stdlib.zip',
    zip(['encodings/utf_8.py', 'ctypes/macholib/fetch_macholib.bat']),
  ],
  'a package of pygbag': ['my-game.apk', zip(['assets/main.py', 'assets/img/hero.png'])],
  'an old Office file': ['Thumbs.db', Buffer.concat([ole(), Buffer.alloc(5_000)])],
  'a screen of an old home computer': ['loading.scr', Buffer.alloc(6_912, 3)],
  'a shell script': ['build.sh', Buffer.from('#!/bin/sh\nmake\n')],
  'an empty file': ['empty', Buffer.alloc(0)],
};

for (const [what, [path, bytes]] of Object.entries(harmless)) {
  test(`${what} is let through`, async () => {
    assert.equal(await judge(executables, path, bytes), null);
  });
}

test('a program is refused by its name alone, and a shell script is only mentioned', async () => {
  for (const name of ['setup.exe', 'Game.MSI', 'game.apk', 'game.dmg', 'a.vbs']) {
    assert.equal((await judge(executables, name, 'not what it says'))?.severity, 'refuse', name);
  }
  for (const name of ['build.bat', 'serve.cmd', 'deploy.ps1']) {
    assert.equal((await judge(executables, name, 'npm run build'))?.severity, 'warn', name);
  }
});

test('programs in a bundle of the js-dos player are only mentioned', async () => {
  const bundle = zip(['.jsdos/dosbox.conf', 'DOOM.EXE']);
  assert.equal((await judge(executables, 'doom.jsdos', bundle))?.severity, 'warn');
});

test('libraries of .NET are let through beside its runtime for browsers, as Blazor publishes them', async () => {
  const library = netFile(0x10b);
  const larger = netFile(0x20b);
  const files = {
    '_framework/Game.dll': library,
    '_framework/Game.dll.gz': gzipSync(library),
    '_framework/System.dll': larger,
  };
  assert.deepEqual(
    await severities(executables, versionOf({ ...files, '_framework/dotnet.7.0.5.wasm': '' })),
    [],
  );
  assert.deepEqual(await severities(executables, versionOf(files)), [
    'refuse _framework/Game.dll',
    'refuse _framework/Game.dll.gz',
    'refuse _framework/System.dll',
  ]);
  const others = {
    '_framework/dotnet.wasm': '',
    // Another name, a library without .NET, and one whose headers are cut off.
    'a.dat': library,
    'b.dll': pe(128),
    'c.dll': library.subarray(0, 200),
    'd.exe': library,
  };
  assert.deepEqual(await severities(executables, versionOf(others)), [
    'refuse a.dat',
    'refuse b.dll',
    'refuse c.dll',
    'refuse d.exe',
  ]);
});

test('a package of pygbag with a program or a manifest of Android in it is refused', async () => {
  for (const other of ['AndroidManifest.xml', 'assets/setup.exe'])
    assert.equal(
      (await judge(executables, 'a.apk', zip(['assets/main.py', other])))?.severity,
      'refuse',
      other,
    );
});

test('names in an archive that end in nothing but spaces or dots, nearly, cost no time', {
  timeout: 20_000,
}, async () => {
  for (const filling of [' ', '.', '. ']) {
    const names = Array.from({ length: 3_000 }, () => `${filling.repeat(1_000 / filling.length)}x`);
    assert.equal(await judge(executables, 'assets.zip', zip(names)), null);
  }
  assert.equal(
    (await judge(executables, 'assets.zip', zip([`a.exe${'. '.repeat(500)}`])))?.severity,
    'refuse',
  );
});

test('a file name in an archive is escaped in the message', async () => {
  const finding = await judge(executables, 'a.zip', zip([`x\u202e\n${'y'.repeat(600)}.exe`]));
  assert.equal(finding?.severity, 'refuse');
  assert.doesNotMatch(finding?.message ?? '', /[\u202e\n]/u);
  assert.ok((finding?.message.length ?? 0) < 300);
});

function pe(headerAt: number): Uint8Array {
  const bytes = Buffer.alloc(headerAt + 300);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(headerAt, 60);
  bytes.write('PE\0\0', headerAt, 'latin1');
  return bytes;
}

/** Makes the headers of a file of .NET, with this magic of the optional header. */
function netFile(magic: number): Buffer {
  const bytes = Buffer.from(pe(128));
  bytes.writeUInt16LE(magic, 128 + 24);
  const cliEntry = 128 + 24 + (magic === 0x10b ? 208 : 224);
  bytes.writeUInt32LE(0x2008, cliEntry);
  bytes.writeUInt32LE(72, cliEntry + 4);
  return bytes;
}

function elf(): Uint8Array {
  const bytes = Buffer.alloc(200);
  bytes.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  return bytes;
}

function ole(): Buffer {
  return Buffer.from('d0cf11e0a1b11ae1', 'hex');
}

function msi(): Uint8Array {
  return Buffer.concat([ole(), Buffer.alloc(3_000), Buffer.from('84100c0000000000c000000000000046', 'hex')]);
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Makes the headers of a zip: local ones with empty contents, then the central directory. */
function zip(names: readonly string[]): Buffer {
  const header = (signature: number, name: string, lengthAt: number, nameAt: number): Buffer => {
    const text = Buffer.from(name);
    const bytes = Buffer.alloc(nameAt + text.length);
    bytes.writeUInt32BE(signature, 0);
    bytes.writeUInt16LE(text.length, lengthAt);
    text.copy(bytes, nameAt);
    return bytes;
  };
  return Buffer.concat([
    ...names.map((name) => header(0x504b0304, name, 26, 30)),
    ...names.map((name) => header(0x504b0102, name, 28, 46)),
  ]);
}

/** Makes a tar with entries of 700 bytes each, so that two blocks of contents follow each header. */
function tar(names: readonly string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const bytes = Buffer.alloc(512 + 1_024);
      bytes.write(name, 0, 'latin1');
      bytes.write('00000001274\0', 124, 'latin1');
      bytes.write('ustar', 257, 'latin1');
      return bytes;
    }),
  );
}
