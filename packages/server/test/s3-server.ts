import process from 'node:process';
import type { TestS3 } from './s3-address.ts';
import { findVersitygw, startVersitygw } from './versitygw.ts';

/**
 * A real S3 server, over a folder of its own: versitygw where this machine has Go to build it with, else what npm brings.
 * `TEST_S3=s3rver` takes the latter anyway.
 */
export async function startS3(): Promise<TestS3> {
  const { program } = await chooseS3();
  if (program !== null) return startVersitygw(program);
  // It brings a web framework with it.
  const { startS3rver } = await import('./s3rver.ts');
  return startS3rver();
}

/** Which one that is, and why; the first to ask has it built. */
export async function chooseS3(): Promise<{ program: string | null; said: string }> {
  if (process.env.TEST_S3 === 's3rver') return { program: null, said: 's3rver, as TEST_S3 says' };
  const found = await findVersitygw();
  if ('program' in found) return { program: found.program, said: `versitygw (${found.program})` };
  return { program: null, said: `s3rver, without versitygw: ${found.lacks}` };
}

/** `node packages/server/test/s3-server.ts` builds what is to be built, and says which server the tests use. */
if (import.meta.main) console.log(`The tests' S3 server is ${(await chooseS3()).said}.`);
