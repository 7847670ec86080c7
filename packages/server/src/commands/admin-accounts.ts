import { type Scope, scopeList, scopes, usualScopes } from '@spaceport/contract/scopes';
import { type Creator, createAccounts } from '../accounts/accounts.ts';
import { createOwnTokens } from '../accounts/own-tokens.ts';
import { toOwnToken } from '../accounts/own-view.ts';
import { createTokens, type Tokens } from '../accounts/tokens.ts';
import { CommandError } from '../command-line.ts';
import { changeOperator } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { indexSpacesOf } from '../search/fill.ts';
import { type AdminCommand, onPlatform, optional, required, type Values } from './admin-command.ts';

const operatorOptions = { handle: { type: 'string' }, reason: { type: 'string' } } as const;

/** The admin commands about accounts and their tokens. */
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
      const { handle } = await createAccounts(platform, indexSpacesOf).create(account);
      return { handle };
    }),
  },

  'grant-operator': {
    summary: 'Makes an account an operator.',
    usage: '--handle H [--reason R]',
    options: operatorOptions,
    run: onPlatform((platform, values) => setOperator(platform, values, true)),
  },

  'revoke-operator': {
    summary: 'Takes the operator’s rights from an account. --last: also from the only operator.',
    usage: '--handle H [--reason R] [--last]',
    options: { ...operatorOptions, last: { type: 'boolean' } },
    run: onPlatform(async (platform, values) => {
      try {
        return await setOperator(platform, values, false);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
        throw new CommandError(
          `${error.message} Make another account an operator first (grant-operator), or add --last.`,
        );
      }
    }),
  },

  'create-token': {
    summary: 'Issues an API token for an account; it is shown once.',
    usage: '--handle H [--scopes publish,boards,moderate,operate] [--space SLUG]',
    options: { handle: { type: 'string' }, scopes: { type: 'string' }, space: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, owner) => {
        const wish = {
          name: 'admin',
          scopes: scopesIn(values),
          space: optional(values, 'space'),
          days: null,
        };
        const { token, about } = await createOwnTokens(platform, tokens).make(
          { id: null, creator: owner },
          wish,
        );
        const { expires_at, scopes, space } = toOwnToken(about);
        return { token, expires_at, scopes, space };
      }),
    ),
  },

  'list-tokens': {
    summary: 'Lists the API tokens of an account that still work.',
    usage: '--handle H',
    options: { handle: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, { id }) => ({
        tokens: (await tokens.list(id)).map(toOwnToken),
      })),
    ),
  },

  'revoke-token': {
    summary: 'Ends an API token at once, on every node.',
    usage: '--handle H --id ID',
    options: { handle: { type: 'string' }, id: { type: 'string' } },
    run: onPlatform((platform, values) =>
      withTokens(platform, values, async (tokens, owner) => {
        const id = required(values, 'id');
        await tokens.revoke(owner.id, givenId('tok', id));
        return { revoked: id };
      }),
    ),
  },
};

async function setOperator(
  platform: Platform,
  values: Values,
  operator: boolean,
): Promise<Record<string, unknown>> {
  const change = {
    operator,
    reason: optional(values, 'reason'),
    by: machineActor,
    evenLast: values.last === true,
  };
  const account = await changeOperator(platform, required(values, 'handle'), change);
  return { handle: account.handle, operator: account.operator };
}

/** Returns the named scopes, or the usual ones if none are named. */
function scopesIn(values: Values): readonly Scope[] {
  const given = optional(values, 'scopes');
  if (given === null) return usualScopes;
  const parsed = scopeList.safeParse(given.split(',').map((name) => name.trim()));
  if (parsed.success) return parsed.data;
  throw new CommandError(`--scopes takes ${scopes.join(', ')}, each once, with a comma between two.`);
}

async function withTokens(
  platform: Platform,
  values: Values,
  work: (tokens: Tokens, owner: Creator) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const owner = await createAccounts(platform, indexSpacesOf).byHandle(required(values, 'handle'));
  const tokens = createTokens(platform);
  try {
    return await work(tokens, owner);
  } finally {
    tokens.close();
  }
}
