import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Ways to damage a backup in a folder, each with the expected error of a restore. */
export const damages: Record<string, [(path: string) => Promise<void>, RegExp]> = {
  'a row that was changed': [
    async (path) => {
      const name = (await tablesFolder(path)) ?? '';
      const file = join(path, name, 'creators.jsonl');
      await writeFile(file, (await readFile(file, 'utf8')).replace('hopper', 'popper'));
    },
    /creators\.jsonl is damaged/u,
  ],
  'a row too many': [
    async (path) => {
      const file = join(path, (await tablesFolder(path)) ?? '', 'slugs.jsonl');
      await appendFile(file, '{"slug":"more","space_id":"x"}\n');
    },
    /slugs\.jsonl is damaged/u,
  ],
  'a table that is gone': [
    async (path) => rm(join(path, (await tablesFolder(path)) ?? '', '+blobs.jsonl')),
    /lacks .*\+blobs\.jsonl/u,
  ],
  'a file that is gone': [async (path) => rm(await someBlob(path)), /lacks the file/u],
  'a file with other bytes': [
    async (path) => {
      const file = await someBlob(path);
      const bytes = await readFile(file);
      bytes.writeUInt8((bytes.readUInt8(0) + 1) % 256, 0);
      await writeFile(file, bytes);
    },
    /of the backup is damaged/u,
  ],
  'a manifest cut short': [(path) => writeFile(join(path, 'manifest.json'), '{'), /manifest .* is damaged/u],
  'another format': [(path) => changeManifest(path, { format: 2 }), /not one of format 1/u],
  'a path out of it': [
    (path) => changeManifest(path, { folder: '../../etc' }),
    /not one of format 1: folder/u,
  ],
  'a newer version': [
    (path) => changeManifest(path, { migrations: ['9999-future'] }),
    /newer version of Spaceport\. .*9999-future/u,
  ],
  'no backup': [(path) => rm(join(path, 'manifest.json')), /no complete backup/u],
};

async function tablesFolder(path: string): Promise<string | undefined> {
  return (await readdir(path)).find((name) => name.startsWith('tables-'));
}

async function someBlob(path: string): Promise<string> {
  const files = await readdir(join(path, 'blobs'), { recursive: true, withFileTypes: true });
  const file = files.find((entry) => entry.isFile()) ?? assert.fail('no file');
  return join(file.parentPath, file.name);
}

async function changeManifest(path: string, change: Record<string, unknown>): Promise<void> {
  const file = join(path, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, ...change }));
}
