import { createAccounts } from '../accounts/accounts.ts';
import { createTokens, type Tokens } from '../accounts/tokens.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { type AdminCommand, onPlatform, required, type Values } from './admin-command.ts';

/** What an operator does to accounts and their tokens. */
export const accountCommands: Record<string, AdminCommand> = {
  'create-account': {
    summary: 'Makes an account that can publish.',
    usage: '--handle H --email E --password P [--operator]',
    options: {
      handle: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      operator: { type: 'boolean' },
    },
    run: onPlatform(async (platform, values) => {
      const account = {
        handle: required(values, 'handle'),
        email: required(values, 'email'),
        password: required(values, 'password'),
        operator: values.operator === true,
      };
      const { handle } = await createAccounts(platform).create(account);
      return { handle };
    }),
  },

  'create-token': {
    summary: 'Issues an API token for an account; it is shown once.',
    usage: '--handle H',
    options: { handle: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, creatorId) => {
        const { token, expiresAt } = await tokens.issue(creatorId, { name: 'admin' });
        return { token, expires_at: toTimestamp(expiresAt) };
      }),
    ),
  },

  'list-tokens': {
    summary: 'Lists the API tokens of an account that still work.',
    usage: '--handle H',
    options: { handle: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, creatorId) => ({
        tokens: (await tokens.list(creatorId)).map((token) => ({
          id: token.id,
          client_name: token.clientName,
          created_at: toTimestamp(token.createdAt),
          expires_at: toTimestamp(token.expiresAt),
          last_used_at: token.lastUsedAt === null ? null : toTimestamp(token.lastUsedAt),
        })),
      })),
    ),
  },

  'revoke-token': {
    summary: 'Ends an API token at once, on every node.',
    usage: '--handle H --id ID',
    options: { handle: { type: 'string' }, id: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, creatorId) => {
        const id = required(values, 'id');
        await tokens.revoke(creatorId, id);
        return { revoked: id };
      }),
    ),
  },
};

async function withTokens(
  platform: Platform,
  values: Values,
  work: (tokens: Tokens, creatorId: string) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { id } = await createAccounts(platform).byHandle(required(values, 'handle'));
  const tokens = createTokens(platform);
  try {
    return await work(tokens, id);
  } finally {
    tokens.close();
  }
}
