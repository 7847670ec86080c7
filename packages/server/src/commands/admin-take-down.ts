import { machineActor } from '../operators/audit.ts';
import { changeTakenDown, listTakenDown } from '../operators/taken-down.ts';
import { type AdminCommand, onPlatform, required } from './admin-command.ts';

const most = 1_000;

/** The admin commands that take a file down in all spaces at once. */
export const takeDownCommands: Record<string, AdminCommand> = {
  'take-down': changeCommand(
    true,
    'Serves no version that has the file any more, in any space; its creators are mailed the reason. The SHA-256 is the ETag that the file is served with.',
  ),
  'give-back': changeCommand(false, 'Serves versions again that have a file which was taken down.'),
  'taken-down': {
    summary: 'Lists what is taken down, why, and the versions that were found to have it.',
    usage: '',
    options: {},
    run: onPlatform(async (platform) => ({ files: (await listTakenDown(platform, { limit: most })).files })),
  },
};

function changeCommand(down: boolean, summary: string): AdminCommand {
  return {
    summary,
    usage: '--sha256 HASH --reason R',
    options: { sha256: { type: 'string' }, reason: { type: 'string' } },
    run: onPlatform((platform, values) =>
      changeTakenDown(platform, required(values, 'sha256'), {
        down,
        reason: required(values, 'reason'),
        by: machineActor,
      }),
    ),
  };
}
