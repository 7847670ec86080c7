import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ShimName, shimNames } from '@spaceport/contract/portals';
import { checkout, hashSources } from './sources.ts';

/**
 * The folder of builds. It has a folder for each state of the sources, so that builders and servers do not
 * interfere.
 */
const buildsFolder = join(checkout, 'packages/web/dist');
const manifestPath = '.vite/manifest.json';
const rendererFolder = 'renderer';
/** Path of the document renderer in a build's folder. */
export const rendererPath = `${rendererFolder}/entry-server.js`;
/** The files of the command line's package, in a build's folder. */
export const cliFolder = 'cli';
/**
 * Paths of the scripts for spaces' pages in a build's folder: the module, its second script, and portal
 * scripts.
 */
export const modulePath = 'module/sdk.js';
export const togetherPath = 'together/sdk-together.js';
export const builtShimPath = (name: ShimName) => `shims/${name}/shim.js`;
/** Older builds stay for servers that still run on them. */
const keptBuilds = 5;
const keptForMs = 24 * 3_600_000;

/** Returns the folder of the build with this hash, or null if it does not exist yet. */
async function findBuild(hash: string): Promise<string | null> {
  const folder = join(buildsFolder, hash);
  return access(join(folder, manifestPath)).then(
    () => folder,
    () => null,
  );
}

/**
 * Returns the folder of a build of the current sources. A missing build is made first, in a separate process,
 * whose memory is freed with it, and appears atomically.
 * @throws an error with the bundler's output if the build fails
 */
export async function ensureBuild({ signal }: { signal?: AbortSignal } = {}): Promise<string> {
  const hash = hashSources();
  const found = await findBuild(hash);
  if (found !== null) return found;
  const target = join(buildsFolder, hash);
  const draft = join(buildsFolder, `.draft-${randomBytes(6).toString('hex')}`);
  await mkdir(buildsFolder, { recursive: true });
  try {
    const pages = { workspace: 'web', outDir: draft } as const;
    // Into a folder of its own, because the bundler empties the folder that it writes to.
    const renderer = { ...pages, outDir: join(draft, rendererFolder), ssr: 'src/entry-server.tsx' };
    const script = (path: string, mode?: string) =>
      ({ workspace: 'sdk', outDir: join(draft, dirname(path)), ...(mode && { mode }) }) as const;
    await bundle(
      [
        pages,
        renderer,
        { workspace: 'cli', outDir: join(draft, cliFolder) },
        script(modulePath),
        script(togetherPath, 'together'),
        ...shimNames.map((name) => script(builtShimPath(name), name)),
      ],
      signal,
    );
    await compress(join(draft, 'assets'));
    await rename(draft, target).catch(async (error: unknown) => {
      // Another process may have made the same build meanwhile.
      if ((await findBuild(hash)) === null) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await utimes(target, new Date(), new Date());
  await dropOldBuilds(buildsFolder);
  return target;
}

/** One run of the bundler. */
export interface Bundling {
  readonly workspace: 'web' | 'cli' | 'sdk' | 'server';
  readonly outDir: string;
  /** The entry of a build for Node, if the package's configuration names none. */
  readonly ssr?: string;
  readonly mode?: string;
}

/**
 * Runs the bundler for the pages (for browsers and for the server's renderer), the command line, the module,
 * or the server itself: in one process for all, one after the other.
 */
export async function bundle(bundlings: readonly Bundling[], signal?: AbortSignal): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(checkout, 'packages/server/bin/bundle.mjs'), JSON.stringify(bundlings)],
    // The bundler must not inherit NODE_OPTIONS of a test run or a debugger.
    {
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
    },
  );
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => said.push(data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(Buffer.concat(said).toString().trim());
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
const compressible = /\.(?:js|css|svg|json|map)$/u;

/** Compresses files once, so that no request has to. */
async function compress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      await writeFile(join(folder, `${name}.br`), await brotli(bytes, { params }));
      await writeFile(join(folder, `${name}.gz`), await deflate(bytes, { level: 9 }));
    }),
  );
}

/** Deletes builds that are neither recent nor among the newest. */
export async function dropOldBuilds(folder: string): Promise<void> {
  const builds = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  const old = builds
    .sort((a, b) => b.at - a.at)
    .slice(keptBuilds)
    .filter(({ at }) => at < Date.now() - keptForMs);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}
