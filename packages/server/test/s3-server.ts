import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { makeFolder } from './postgres-binaries.ts';
import { addressesOf, type TestS3, testBucket } from './s3-address.ts';
import { release, startSupervised, stopSupervised } from './supervised.ts';

/** Builds versitygw if needed, and prints where the program is. */
const builder = fileURLToPath(new URL('versitygw/build', import.meta.url));
const startAttempts = 3;
const startMs = 60_000;

/** The program, or null if this machine has none and cannot build it. */
let found: Promise<string | null> | undefined;

/** Starts a real S3 server over a new folder. It ends with this process, however that ends. */
export async function startS3(): Promise<TestS3> {
  const program = await findProgram();
  if (program === null) throw new Error('There is no S3 server; npm run test:s3 says why.');
  for (let attempt = 1; ; attempt++) {
    const started = await startOnce(program, await freePort());
    if (started !== null) return started;
    // Another process can take the free port before the server starts.
    if (attempt === startAttempts) throw new Error('the S3 server does not start');
  }
}

/** The reason to skip a test of S3, or false where there is a server. */
export async function withoutS3(): Promise<string | false> {
  return (await findProgram()) === null && 'this machine has no S3 server, and cannot build one';
}

/** Returns the program, which is built once for all checkouts of the user. `TEST_S3=none` does without it. */
function findProgram(): Promise<string | null> {
  found ??= process.env.TEST_S3 === 'none' ? Promise.resolve(null) : build();
  return found;
}

async function build(): Promise<string | null> {
  const building = spawn(builder, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [path, [code]] = await Promise.all([text(building.stdout), once(building, 'close')]);
  return code === 0 ? path.trim() : null;
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

/** `npm run test:s3` builds the server if needed, and says what the tests use. */
if (import.meta.main) {
  const lacks = await withoutS3();
  console.log(
    lacks === false
      ? `The tests use an S3 server, ${await findProgram()}.`
      : `The tests on PostgreSQL keep files in a folder, and tests of S3 are skipped: ${lacks}.`,
  );
}
