import { accountCommands } from './admin-accounts.ts';
import { backupCommands } from './admin-backup.ts';
import { boardCommands } from './admin-boards.ts';
import type { AdminCommand } from './admin-command.ts';
import { doctorCommands } from './admin-doctor.ts';
import { reviewCommands } from './admin-reviews.ts';
import { spaceCommands } from './admin-spaces.ts';
import { takeDownCommands } from './admin-take-down.ts';
import { verifyCommands } from './admin-verify.ts';

/** All admin commands, which an operator runs on the machine itself. */
export const adminCommands: Record<string, AdminCommand> = {
  ...accountCommands,
  ...spaceCommands,
  ...takeDownCommands,
  ...reviewCommands,
  ...backupCommands,
  ...boardCommands,
  ...verifyCommands,
  ...doctorCommands,
};
