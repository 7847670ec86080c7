import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from './processes.ts';
import { findTool, MissingTool } from './tools.ts';

/** A program that Go builds of a published module. */
export interface GoProgram {
  readonly name: string;
  /** The package of its command, which Go names the program by. */
  readonly command: string;
  readonly version: string;
}

/**
 * Its file, which is built once for all checkouts of the user, in their cache: some minutes of one core.
 * @throws MissingTool where the machine has no Go, or none that builds it
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
    // No other Go than the machine's is looked for.
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
