import { createAccounts } from '../accounts/accounts.ts';
import { createTokens } from '../accounts/tokens.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import { type AdminCommand, required } from './admin-command.ts';
import { reviewCommands } from './admin-reviews.ts';
import { spaceCommands } from './admin-spaces.ts';

/** The calls of contract §10 that an operator makes on the machine itself. */
export const adminCommands: Record<string, AdminCommand> = {
  'create-account': {
    summary: 'Makes an account that can publish.',
    usage: '--handle H --email E --password P [--operator]',
    options: {
      handle: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      operator: { type: 'boolean' },
    },
    async run(platform, values) {
      const account = {
        handle: required(values, 'handle'),
        email: required(values, 'email'),
        password: required(values, 'password'),
        operator: values.operator === true,
      };
      const { handle } = await createAccounts(platform).create(account);
      return { handle };
    },
  },

  'create-token': {
    summary: 'Issues an API token for an account; it is shown once.',
    usage: '--handle H',
    options: { handle: { type: 'string' } },
    async run(platform, values) {
      const creator = await createAccounts(platform).byHandle(required(values, 'handle'));
      const tokens = createTokens(platform);
      const { token, expiresAt } = await tokens.issue(creator.id, 'admin');
      tokens.close();
      return { token, expires_at: toTimestamp(expiresAt) };
    },
  },

  ...spaceCommands,
  ...reviewCommands,
};
