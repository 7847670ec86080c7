import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import './one-engine.ts';

/** Returns the oldest Node on this machine that the command supports. */
export function oldestNode(): { path: string; version: string } {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .concat(process.execPath)
    .filter((path) => existsSync(path))
    .map((path) => ({
      path,
      version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1),
    }));
  const rank = ({ version }: { version: string }) => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major * 1_000 + minor;
  };
  const [oldest] = found.filter((node) => rank(node) >= 20_012).sort((a, b) => rank(a) - rank(b));
  assert.ok(oldest);
  return oldest;
}
