import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-line.ts';
import { verifyFiles } from '../versions/mend.ts';
import { type AdminCommand, onPlatform, type Values } from './admin-command.ts';

/** Whether every stored file is what its hash says, and how to mend those that are not. */
export const verifyCommands: Record<string, AdminCommand> = {
  verify: {
    summary:
      'Compares every stored file with its hash. --repair mends what is lost from another copy, a compressed form or a backup.',
    usage: '[--repair [--from DIR]]',
    options: { repair: { type: 'boolean' }, from: { type: 'string' } },
    run: onPlatform(async (platform, values) => {
      const repair = values.repair === true;
      const { files, mended, lost } = await verifyFiles(platform, { repair, backup: await backupIn(values) });
      return { files, mended, lost };
    }),
  },
};

async function backupIn({ repair, from }: Values): Promise<string | null> {
  if (typeof from !== 'string') return null;
  if (repair !== true) throw new CommandError('--from is where --repair takes files from: give both.');
  const isBackup = await stat(join(from, 'manifest.json')).catch(() => null);
  if (!isBackup) throw new CommandError(`There is no whole backup in ${from}.`);
  return from;
}
