import { randomBytes } from 'node:crypto';
import { access, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildsFolder, hashServer, mainFile } from '../bin/current-build.mjs';
import { bundle, dropOldBuilds } from '../src/pages/built/build.ts';

/**
 * Returns the folder of the server that is built from the present sources. If it is missing, it is built
 * first, and appears complete or not at all. Nothing requires a build: without one, the server starts from
 * its sources.
 * @throws the bundler's error
 */
export async function ensureServer(): Promise<string> {
  const folder = join(buildsFolder, hashServer());
  if (await isBuilt(folder)) return folder;
  const draft = join(buildsFolder, `.draft-${randomBytes(6).toString('hex')}`);
  try {
    await bundle([{ workspace: 'server', outDir: draft }]);
    await rename(draft, folder).catch(async (error: unknown) => {
      // Another process has built the same meanwhile.
      if (!(await isBuilt(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await utimes(folder, new Date(), new Date());
  await dropOldBuilds(dirname(folder));
  return folder;
}

function isBuilt(folder: string): Promise<boolean> {
  return access(join(folder, mainFile)).then(
    () => true,
    () => false,
  );
}
