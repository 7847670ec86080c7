import { parseArgs } from 'node:util';
import { asksForHelp, CommandError } from '../command-line.ts';
import { readConfig } from '../config.ts';
import { closeAll, openPlatform } from '../open-platform.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { ServiceError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { alone } from '../platform/processes/together.ts';
import type { AdminCommand } from './admin-command.ts';
import { adminCommands } from './admin-commands.ts';
import { requireInstallation } from './installed.ts';

/**
 * Runs one command of `npm run admin -- …` on the service's own database, also while the service runs. With
 * --json it prints one JSON document, else lines of text.
 */
export async function admin(
  [name = 'help', ...rest]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  if (name === 'help' || asksForHelp([name])) {
    console.log(adminUsage());
    return;
  }
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (!command) throw new CommandError(`«${name}» is not an admin command.\n\n${adminUsage()}`);
  if (asksForHelp(rest)) {
    console.log(usageOf(name, command));
    return;
  }
  const { json, ...values } = readOptions(name, command, rest);
  const config = readConfig(environment);
  const closers: (() => unknown)[] = [];
  try {
    const log = createLog({ LOG_LEVEL: 'silent' });
    const platform = () =>
      openPlatform(
        config,
        {
          clock: systemClock,
          log,
          closing: new AbortController().signal,
          together: alone(systemClock, { runsJobs: false }),
        },
        closers,
      );
    const installed = async () => {
      await requireInstallation(config);
      return platform();
    };
    const answer = await command.run({ config, platform, installed }, values);
    const { asText = asLines } = command;
    console.log(json === true ? JSON.stringify(answer) : asText(answer));
  } catch (error) {
    if (error instanceof ServiceError) throw new CommandError(`admin ${name}: ${error.message}`);
    throw error;
  } finally {
    await closeAll(closers);
  }
}

function readOptions(
  name: string,
  command: AdminCommand,
  words: readonly string[],
): Record<string, string | boolean> {
  try {
    const parsed = parseArgs({
      args: [...words],
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: false,
    });
    const values = parsed.values as Record<string, string | boolean>;
    // Such as "$PLACE" in a script that has not set it.
    const empty = Object.entries(values).find(([, value]) => value === '');
    if (empty) throw new Error(`--${empty[0]} is empty`);
    return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandError(`admin ${name}: ${message}.\n\n${usageOf(name, command)}`);
  }
}

function adminUsage(): string {
  const calls = Object.entries(adminCommands).map(([name, command]) => usageOf(name, command));
  return `npm run admin -- CALL [options] [--json]\n\n${calls.join('\n')}`;
}

function usageOf(name: string, { summary, usage }: AdminCommand): string {
  return `  ${[name, usage].filter((part) => part !== '').join(' ')}\n      ${summary}`;
}

function asLines(answer: Record<string, unknown>): string {
  return Object.entries(answer)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
