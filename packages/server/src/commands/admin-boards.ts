import { repairRanks, type Verified, verifyRanks } from '../boards/verify-ranks.ts';
import { CommandError } from '../command-line.ts';
import type { Platform } from '../platform/context.ts';
import { findSpaceBySlug } from '../spaces/spaces.ts';
import { type AdminCommand, onInstalled, type Values } from './admin-command.ts';

const shownDifferences = 100;

/** The admin commands about boards. */
export const boardCommands: Record<string, AdminCommand> = {
  'verify-ranks': {
    summary:
      'Checks every rank against the submissions, also while the service runs. --repair rebuilds wrong boards.',
    usage: '[--space SLUG] [--repair]',
    options: { space: { type: 'string' }, repair: { type: 'boolean' } },
    run: onInstalled(verify),
  },
};

async function verify(platform: Platform, { space, repair }: Values): Promise<Record<string, unknown>> {
  const slug = typeof space === 'string' ? space : undefined;
  if (slug !== undefined && !(await findSpaceBySlug(platform.database.db, slug)))
    throw new CommandError(`There is no space «${slug}».`);
  const found = await verifyRanks(platform, slug);
  if (repair !== true || found.differences.length === 0) return shown(found);
  const repaired = await repairRanks(platform, found.differences);
  return { ...shown(await verifyRanks(platform, slug)), repaired };
}

function shown({ differences, ...seen }: Verified): Record<string, unknown> {
  return {
    exact: differences.length === 0,
    ...seen,
    differing: differences.length,
    differences: differences.slice(0, shownDifferences),
  };
}
