import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentFiles, InlineScript } from '@spaceport/contract/document';
import { hashSource } from '../../platform/http/hash-source.ts';

/** One chunk in Vite's manifest (vite.dev, "Backend Integration"). */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  /** Keys of chunks that it imports statically. */
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const early = 'src/early.ts';
const styles = 'src/styles/index.css';
/** The entry of a page, as packages/web/build/page-entries.ts names it. */
const pageKey = (page: string) => `page:${page}`;
const enhancementKey = (name: string) => `src/${name}/${name}.ts`;

/** Reads a build's manifest. Returns the files of each page and enhancement, by name. */
export async function readManifest(
  folder: string,
): Promise<(page: string | null, enhancement?: string) => DocumentFiles> {
  const text = await readFile(join(folder, '.vite/manifest.json'), 'utf8');
  // Our own build wrote it.
  const manifest = JSON.parse(text) as Manifest;
  const script = inlineScript(await readFile(join(folder, chunk(manifest, early).file), 'utf8'));
  const known = new Map<string, DocumentFiles>();
  return (page, enhancement) => {
    const keys =
      page !== null ? [pageKey(page)] : enhancement !== undefined ? [enhancementKey(enhancement)] : [];
    const files = known.get(keys.join(' ')) ?? filesOf(manifest, script, keys);
    known.set(keys.join(' '), files);
    return files;
  };
}

/** @param keys the entry module, and the modules that it will import */
function filesOf(manifest: Manifest, script: InlineScript, keys: readonly string[]): DocumentFiles {
  const [start] = keys;
  const base = chunk(manifest, styles);
  const common = {
    early: script,
    fonts: (base.assets ?? [])
      .filter((file) => /-latin-wght-normal-[^/]+\.woff2$/u.test(file))
      .map((file) => `/${file}`),
  };
  if (start === undefined) return { ...common, styles: [`/${base.file}`], script: null, preloads: [] };
  const needed = new Set<Chunk>();
  const add = (key: string) => {
    const found = chunk(manifest, key);
    if (needed.has(found)) return;
    needed.add(found);
    found.imports?.forEach(add);
  };
  keys.forEach(add);
  const all = [...needed];
  const entry = chunk(manifest, start).file;
  return {
    ...common,
    styles: [...new Set([base.file, ...all.flatMap(({ css = [] }) => css)])].map((file) => `/${file}`),
    script: `/${entry}`,
    preloads: all.filter(({ file }) => file !== entry).map(({ file }) => `/${file}`),
  };
}

function inlineScript(file: string): InlineScript {
  const text = file.trim();
  if (/<\/script|<!--/iu.test(text)) throw new Error('This script cannot stand in a document.');
  return { text, source: hashSource(text) };
}

function chunk(manifest: Manifest, key: string): Chunk {
  const found = manifest[key];
  if (!found) throw new Error(`The built pages have no ${key}.`);
  return found;
}
