import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { makeFolder } from './postgres-binaries.ts';
import { addressesOf, type TestS3, testBucket } from './s3-address.ts';
import { release, startSupervised, stopSupervised } from './supervised.ts';

const run = promisify(execFile);

/** The folder with `go.mod` (the version) and `go.sum` (the hashes of all sources). */
const moduleFolder = fileURLToPath(new URL('versitygw/', import.meta.url));
const command = 'github.com/versity/versitygw/cmd/versitygw';
const startAttempts = 3;
const startMs = 60_000;

type Found = { readonly program: string } | { readonly lacks: string };
let finding: Promise<Found> | undefined;

/** Returns the program, which Go builds once for all checkouts of the user, or why there is none. */
export function findVersitygw(): Promise<Found> {
  finding ??= find();
  return finding;
}

async function find(): Promise<Found> {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) hash.update(await readFile(join(moduleFolder, name)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const program = join(cache, 'spaceport', `versitygw-${hash.digest('hex').slice(0, 16)}`);
  if (await isThere(program)) return { program };
  const draft = `${program}.${randomBytes(4).toString('hex')}`;
  // Only the machine's own Go is used; no other is downloaded.
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' };
  try {
    await run('go', ['version'], { env });
  } catch {
    return { lacks: 'this machine has no Go' };
  }
  console.error('Building the S3 server of the tests once; it takes some minutes.');
  try {
    await mkdir(dirname(program), { recursive: true });
    await run('go', ['build', '-C', moduleFolder, '-trimpath', '-ldflags=-s -w', '-o', draft, command], {
      env,
    });
    await rename(draft, program);
    return { program };
  } catch (error) {
    return { lacks: `Go does not build it: ${error instanceof Error ? error.message : error}` };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Starts it over a new folder. It ends with this process, however that ends. */
export async function startVersitygw(program: string): Promise<TestS3> {
  for (let attempt = 1; ; attempt++) {
    const started = await startOnce(program, await freePort());
    if (started !== null) return started;
    // Another process can take the free port before the server starts.
    if (attempt === startAttempts) throw new Error('the S3 server does not start');
  }
}

async function startOnce(program: string, port: number): Promise<TestS3 | null> {
  const keys = { keyId: 'tester', secret: 'a/secret+of-tests' };
  const home = await makeFolder({}, 'disk');
  const data = await makeFolder({}, 'memory');
  await mkdir(join(data, testBucket));
  const supervisor = startSupervised(
    {
      command: [program, '--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', 'posix', data],
      folders: [home, data],
      signal: 'KILL',
    },
    {
      cwd: home,
      env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: keys.keyId, ROOT_SECRET_KEY: keys.secret },
    },
  );
  let said = '';
  supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const deadline = performance.now() + startMs;
  while (!(await answers(port))) {
    if (supervisor.exitCode !== null) return null;
    if (performance.now() > deadline) {
      await stopSupervised(supervisor);
      throw new Error(`the S3 server does not answer: ${said}`);
    }
    await pause(10);
  }
  release(supervisor);
  return {
    name: 'versitygw',
    isStrict: true,
    ...addressesOf(port, keys),
    stop: () => stopSupervised(supervisor),
  };
}

async function answers(port: number): Promise<boolean> {
  const asked = request({ host: '127.0.0.1', port, path: '/', agent: false }).end();
  try {
    const [answer] = await once(asked, 'response');
    answer.resume();
    return true;
  } catch {
    return false;
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
