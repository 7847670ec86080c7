import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CommandError } from '../command-line.ts';
import { readConfig } from '../config.ts';
import { openPlatform } from '../open-platform.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { ServiceError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { alone } from '../platform/processes/together.ts';
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
  if (name === 'help' || name === '--help') {
    console.log(adminUsage());
    return;
  }
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (!command) throw new CommandError(`«${name}» is not an admin command.\n\n${adminUsage()}`);
  const { json, ...values } = readOptions(name, command.options, rest);
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
    for (const close of closers.reverse()) await close();
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;

function readOptions(
  name: string,
  options: Options,
  words: readonly string[],
): Record<string, string | boolean> {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: false,
    });
    return values as Record<string, string | boolean>;
  } catch (error) {
    throw new CommandError(`admin ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function adminUsage(): string {
  const calls = Object.entries(adminCommands).map(
    ([name, { summary, usage }]) => `  ${name} ${usage}\n      ${summary}`,
  );
  return `npm run admin -- CALL [options] [--json]\n\n${calls.join('\n')}`;
}

function asLines(answer: Record<string, unknown>): string {
  return Object.entries(answer)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
