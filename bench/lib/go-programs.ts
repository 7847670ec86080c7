import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from './processes.ts';
import { findTool, MissingTool } from './tools.ts';

/** A program that Go builds from a published module. */
export interface GoProgram {
  readonly name: string;
  /** The package of its command, after which Go names the program. */
  readonly command: string;
  readonly version: string;
}

/**
 * Returns the program's file. It is built once for all checkouts, in the user's cache, which takes some
 * minutes.
 * @throws MissingTool if the machine has no Go, or its Go cannot build it
 */
export async function goProgram({ name, command, version }: GoProgram): Promise<string> {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'spaceport', 'peers');
  const program = join(folder, `${name}-${version}`);
  if (existsSync(program)) return program;
  const go = findTool('go');
  if (go === null) throw new MissingTool('go');
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(folder, 'draft-'));
  console.log(`building ${name} ${version} once …`);
  try {
    // Only the machine's own Go is used; no other is downloaded.
    await run('load', 'nice', ['-n', '15', go, 'install', '-p', '1', `${command}@${version}`], {
      env: {
        ...(process.env as Record<string, string>),
        GOBIN: draft,
        GOTOOLCHAIN: 'local',
        CGO_ENABLED: '0',
      },
    });
    await rename(join(draft, basename(command)), program);
    return program;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new MissingTool('go', `Go does not build ${name} ${version}: ${why}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
