import { CommandError } from '../command-line.ts';
import { readManifest } from '../platform/backup/layout.ts';
import { withBackupPlace } from '../platform/backup/open-place.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import { verifyFiles } from '../versions/mend.ts';
import { type AdminCommand, onInstalled } from './admin-command.ts';
import { placeIn, withoutStack } from './backup-places.ts';

/** The command that checks every stored file against its hash, and repairs those that do not match. */
export const verifyCommands: Record<string, AdminCommand> = {
  verify: {
    summary:
      'Compares every stored file with its hash. --repair restores lost files from another copy, a compressed form or a backup.',
    usage: '[--repair [--from PLACE]]',
    options: { repair: { type: 'boolean' }, from: { type: 'string' } },
    run: onInstalled(async (platform, { repair, from }) => {
      if (typeof from !== 'string') return verifyFiles(platform, { repair: repair === true, backup: null });
      if (repair !== true)
        throw new CommandError('--from needs --repair: it says where --repair takes files from.');
      return withoutStack(() =>
        withBackupPlace(placeIn(from), temporaryFolder(platform.config), async (backup) => {
          await readManifest(backup);
          return verifyFiles(platform, { repair, backup });
        }),
      );
    }),
  },
};
