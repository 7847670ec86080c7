import { statfsSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { isPinned } from './tools.ts';

/** File system types of statfs(2). */
const fileSystems: Record<number, string> = {
  61267: 'ext4',
  16914836: 'tmpfs',
  1481003842: 'XFS',
  2435016766: 'Btrfs',
  2035054128: 'overlayfs',
};

/** Describes the machine in one line, without its name. */
export function describeMachine(): string {
  const processors = cpus();
  const type = statfsSync(tmpdir()).type;
  return [
    `${processors.length} cores (${processors[0]?.model.trim() || 'of unknown model'})`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `files on ${fileSystems[type] ?? `file system 0x${type.toString(16)}`}`,
    `Node ${process.versions.node}`,
    isPinned ? 'server on core 0, load on the others' : 'not pinned to cores',
  ].join(', ');
}
