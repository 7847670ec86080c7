import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

/** Debian's folders for servers, which are not on every user's PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** A program that a bench compares with is not installed. */
export class MissingTool extends Error {
  override name = 'MissingTool';
  constructor(
    tool: string,
    why = `${tool} is not installed; on Debian and Ubuntu: apt-get install ${packageOf[tool] ?? tool}`,
  ) {
    super(why);
  }
}

const packageOf: Record<string, string> = {
  sha256sum: 'coreutils',
  cp: 'coreutils',
  taskset: 'util-linux',
  go: 'golang',
};

export function findTool(tool: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, tool)).find(isExecutable) ?? null;
}

/** @throws MissingTool */
export function requireTool(tool: string): string {
  const path = findTool(tool);
  if (path === null) throw new MissingTool(tool);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const cores = availableParallelism();
const taskset = cores > 1 ? findTool('taskset') : null;

/** The cores of a program: the server under test has one core for itself, load generators have the others. */
export type Side = 'server' | 'load' | 'all';
export const isPinned = taskset !== null;

const coresOf = { server: '0', load: cores === 2 ? '1' : `1-${cores - 1}`, all: `0-${cores - 1}` };

/** Keeps this process, with all its threads, off the server's core. */
export function keepToLoadCores(): void {
  if (taskset !== null) execFileSync(taskset, ['-a', '-c', '-p', coresOf.load, String(process.pid)]);
}

/** Returns the command line that runs a program on the cores of its side. */
export function onSide(side: Side, command: string, args: readonly string[]): [string, string[]] {
  if (taskset === null) return [command, [...args]];
  return [taskset, ['-c', coresOf[side], command, ...args]];
}
