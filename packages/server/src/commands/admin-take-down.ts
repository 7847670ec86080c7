import { hashInEtag } from '@spaceport/contract/hash-in-etag';
import { machineActor } from '../operators/audit.ts';
import { changeTakenDown, listTakenDown } from '../operators/taken-down.ts';
import { type AdminCommand, onPlatform, required } from './admin-command.ts';

const most = 1_000;

/** The admin commands that take a file down in all spaces at once. */
export const takeDownCommands: Record<string, AdminCommand> = {
  'take-down': changeCommand(
    true,
    'Stops serving every version with this file, in every space, and mails the reason to their creators. The SHA-256 is in the ETag that the file is served with, which is taken too.',
  ),
  'give-back': changeCommand(false, 'Serves the versions with a taken-down file again.'),
  'taken-down': {
    summary: 'Lists the files that are taken down, the reasons, and the versions that have them.',
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
      changeTakenDown(platform, hashInEtag(required(values, 'sha256')), {
        down,
        reason: required(values, 'reason'),
        by: machineActor,
      }),
    ),
  };
}
