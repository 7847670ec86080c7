import { issueOf, parseWith } from '@spaceport/contract/parse';
import { spaceFieldsSchema } from '@spaceport/contract/spaces';
import { CommandError } from '../command-line.ts';
import { machineActor } from '../operators/audit.ts';
import { listOwnerless } from '../operators/list-ownerless.ts';
import { blockHost, setState, unblockHost } from '../operators/space-actions.ts';
import type { Platform } from '../platform/context.ts';
import { findSpaceBySlug } from '../spaces/spaces.ts';
import type { StateAction } from '../spaces/states.ts';
import { type AdminCommand, onPlatform, optional, required, type Values } from './admin-command.ts';

/** The admin commands about spaces and addresses. */
export const spaceCommands: Record<string, AdminCommand> = {
  hold: stateCommand('hold', 'Takes a space off the service while it is under review.'),
  release: stateCommand('release', 'Ends the review of a held space: it is as it was before.'),
  hide: stateCommand('hide', 'Hides a space.'),
  remove: stateCommand('remove', 'Takes a space off the service.'),

  block: {
    summary: 'Never lists pages of a host (with its subdomains), of a host:port or at an address.',
    usage: '--host H [--reason R]',
    options: { host: { type: 'string' }, reason: { type: 'string' } },
    run: onPlatform(async (platform, values) => {
      const host = await blockHost(
        platform,
        required(values, 'host'),
        optional(values, 'reason'),
        machineActor,
      );
      return { host, blocked: true };
    }),
  },

  unblock: {
    summary: 'Lets pages of a host be listed again.',
    usage: '--host H [--reason R]',
    options: { host: { type: 'string' }, reason: { type: 'string' } },
    run: onPlatform(async (platform, values) => {
      const host = await unblockHost(
        platform,
        required(values, 'host'),
        optional(values, 'reason'),
        machineActor,
      );
      return { host, blocked: false };
    }),
  },

  'list-space': {
    summary: 'Lists a page without an owner. Its maker can claim it by the proof tag.',
    usage: '--url U --title T --space-type game --devices desktop,mobile [--description D]',
    options: {
      url: { type: 'string' },
      title: { type: 'string' },
      'space-type': { type: 'string' },
      devices: { type: 'string' },
      description: { type: 'string' },
    },
    run: onPlatform(listSpaceWithoutOwner),
  },
};

/** `restore` is one name for two commands: `restore --space` is here, `restore --from` in admin-backup.ts. */
export const restoreSpace = stateCommand(
  'restore',
  'Brings a hidden or removed space back as it was before.',
);

function stateCommand(action: StateAction, summary: string): AdminCommand {
  return {
    summary,
    usage: '--space SLUG [--reason R] [--message M]',
    options: { space: { type: 'string' }, reason: { type: 'string' }, message: { type: 'string' } },
    run: onPlatform(async (platform, values) => {
      const slug = required(values, 'space');
      const { database } = platform;
      const space = await findSpaceBySlug(database.db, slug);
      if (!space) throw new CommandError(`There is no space «${slug}».`);
      const { state } = await database.transaction((tx) =>
        setState(platform, tx, space.id, {
          action,
          reason: optional(values, 'reason'),
          message: optional(values, 'message'),
          by: machineActor,
        }),
      );
      return { slug, state };
    }),
  };
}

async function listSpaceWithoutOwner(platform: Platform, values: Values): Promise<Record<string, unknown>> {
  const url = required(values, 'url');
  const parsed = parseWith(spaceFieldsSchema, {
    title: required(values, 'title'),
    space_type: required(values, 'space-type'),
    devices: required(values, 'devices').split(','),
    ...(typeof values.description === 'string' ? { description: values.description } : {}),
  });
  if (!parsed.success) {
    const problems = parsed.problems.map(issueOf).map(({ path, message }) => `${path} ${message}`);
    throw new CommandError(problems.join('\n'));
  }
  if (!URL.canParse(url)) throw new CommandError(`--url: ${url} is not an address.`);
  const view = await listOwnerless(platform, url, parsed.data, machineActor);
  return { slug: view.slug, url: view.url, service_url: platform.urls.page(view.slug) };
}
