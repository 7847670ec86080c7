import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

const manifestName = 'package.json';

export interface PackedCli {
  readonly version: string;
  /** A hash of the command itself: twelve hex digits. */
  readonly build: string;
  readonly tgz: Buffer;
}

/**
 * Packs the command line for npx, with the service as its default. The same files and address give the same
 * bytes, so that all nodes of a service answer the same ETag.
 * @param files of the build by their names
 * @param server origin of the service
 */
export async function packCli(files: ReadonlyMap<string, Buffer>, server: string): Promise<PackedCli> {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  const build = hash.digest('hex').slice(0, 12);
  const tar = pack();
  const add = (name: string, bytes: Buffer | string) =>
    // npm expects all files in a folder of this name. The date is constant, and late enough for zip tools.
    tar.entry({ name: `package/${name}`, mode: 0o644, mtime: new Date('1985-10-26T08:15:00Z') }, bytes);
  for (const [name, bytes] of files) add(name, name === manifestName ? nameAfter(build, bytes) : bytes);
  add('origin.json', `${JSON.stringify({ server, build })}\n`);
  tar.finalize();
  const tgz = await promisify(gzip)(await buffer(tar), { level: 9 });
  return { version: versionOf(files), build, tgz };
}

/**
 * Names the package after its build. npx installs a package from an address once, and later finds it by its
 * name. So each build has its own name, and its own command, which would otherwise collide with the older
 * one's.
 */
function nameAfter(build: string, manifest: Buffer): string {
  const { name, bin, ...rest } = JSON.parse(String(manifest));
  const named = { name: `${name}-${build}`, ...rest, bin: { [`spaceport-${build}`]: bin.spaceport } };
  return `${JSON.stringify(named, null, 2)}\n`;
}

function versionOf(files: ReadonlyMap<string, Buffer>): string {
  // Our own build wrote it.
  return JSON.parse(String(files.get(manifestName))).version;
}
