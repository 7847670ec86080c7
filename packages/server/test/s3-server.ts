import process from 'node:process';
import type { TestS3 } from './s3-address.ts';
import { findVersitygw, startVersitygw } from './versitygw.ts';

/**
 * Starts a real S3 server over a new folder: versitygw if this machine has Go to build it, else s3rver from
 * npm. `TEST_S3=s3rver` always uses the latter.
 */
export async function startS3(): Promise<TestS3> {
  const { program } = await chooseS3();
  if (program !== null) return startVersitygw(program);
  // Imported only when needed, because it loads a web framework.
  const { startS3rver } = await import('./s3rver.ts');
  return startS3rver();
}

/** Returns the chosen server and the reason. The first call builds it. */
export async function chooseS3(): Promise<{ program: string | null; said: string }> {
  if (process.env.TEST_S3 === 's3rver') return { program: null, said: 's3rver, as TEST_S3 says' };
  const found = await findVersitygw();
  if ('program' in found) return { program: found.program, said: `versitygw (${found.program})` };
  return { program: null, said: `s3rver, without versitygw: ${found.lacks}` };
}

/**
 * `node packages/server/test/s3-server.ts` builds the server if needed, and prints which one the tests use.
 */
if (import.meta.main) console.log(`The tests' S3 server is ${(await chooseS3()).said}.`);
