import { CommandError } from '../command-line.ts';
import { changeBan } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';
import { decide, listReviews } from '../operators/reviews.ts';
import { givenId } from '../platform/db/ids.ts';
import { type AdminCommand, onPlatform, optional, required } from './admin-command.ts';

const reviewsShown = 100;

/** The admin commands about reviews and accounts. */
export const reviewCommands: Record<string, AdminCommand> = {
  reviews: {
    summary: `Shows the versions with an open review request, oldest first, ${reviewsShown} of them.`,
    usage: '',
    options: {},
    run: onPlatform(async (platform) => {
      const { reviews } = await listReviews(platform, { limit: reviewsShown });
      return { reviews };
    }),
  },

  review: {
    summary: 'Approves or declines a version. An approved version goes live unless a newer one is live.',
    usage: '--version ID --approve|--decline --reason R',
    options: {
      version: { type: 'string' },
      approve: { type: 'boolean' },
      decline: { type: 'boolean' },
      reason: { type: 'string' },
    },
    run: onPlatform(async (platform, values) => {
      const id = required(values, 'version');
      const approve = values.approve === true;
      if (approve === (values.decline === true))
        throw new CommandError('Give one of --approve and --decline.');
      // Its creator is told why it was declined.
      const reason = approve ? optional(values, 'reason') : required(values, 'reason');
      return {
        version: id,
        ...(await decide(platform, givenId('ver', id), { approve, reason }, machineActor)),
      };
    }),
  },

  ban: banCommand(true, 'Bans an account: it is signed out, and cannot publish or claim.'),
  unban: banCommand(false, 'Lifts the ban of an account.'),
};

function banCommand(banned: boolean, summary: string): AdminCommand {
  return {
    summary,
    usage: '--handle H [--reason R] [--message M]',
    options: { handle: { type: 'string' }, reason: { type: 'string' }, message: { type: 'string' } },
    run: onPlatform(async (platform, values) => {
      const message = optional(values, 'message');
      const change = { banned, reason: optional(values, 'reason'), message, by: machineActor };
      const { handle, banned_at } = await changeBan(platform, required(values, 'handle'), change);
      return { handle, banned: banned_at !== null };
    }),
  };
}
