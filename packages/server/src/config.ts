import { totalmem } from 'node:os';
import { createVersion } from '@spaceport/contract/hosting';
import { port, withoutCredentials } from './config-parsers.ts';
import { leastBudgetFor } from './platform/http/body-budget.ts';
import { defaultPort, settings } from './settings.ts';

export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** All problems of the environment, one line each, so that they can be fixed together. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings from an environment. With a PORT of 0 the system chooses the port. When it is known, the
 * settings are read again with it, because addresses depend on it.
 * @param memoryBytes the memory that defaults are made for
 * @throws ConfigError
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  memoryBytes = usableMemoryBytes(),
): Config {
  const problems: string[] = [];
  // Defaults that depend on a wrong port would be wrong too, so only the port is reported.
  const written = { PORT: readablePort(environment.PORT?.trim()), memoryBytes };
  const values: Record<string, unknown> = {};
  for (const [name, { parse, default: fallback }] of Object.entries(settings)) {
    const value =
      environment[name]?.trim() || (typeof fallback === 'function' ? fallback(written) : fallback);
    try {
      values[name] = parse(value);
    } catch (error) {
      const isHidden = 'secret' in settings[name as SettingName] || withoutCredentials(value) !== value;
      const shown = isHidden ? 'its value' : JSON.stringify(value);
      problems.push(`${name}: ${shown} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const config = values as Config;
  if (problems.length === 0) problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Returns the memory of the machine, or of the container if it is limited to less. */
function usableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function readablePort(value: string | undefined): string {
  try {
    return value ? String(port(value)) : defaultPort;
  } catch {
    return defaultPort;
  }
}

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  const app = new URL(config.BASE_URL).host;
  const parents = { PLAY_HOST: config.PLAY_HOST, PREVIEW_HOST: config.PREVIEW_HOST };
  for (const [name, parent] of Object.entries(parents)) {
    // If the app were below a content host's name, it would have the origin of a space. The same name for
    // both would be ambiguous.
    if (app === parent || app.endsWith(`.${parent}`))
      problems.push(`${name}: ${parent} is a host of the app (BASE_URL)`);
  }
  const isOne = config.PROCESSES === 1;
  if (!isOne && config.DATABASE_URL === null)
    problems.push(
      'PROCESSES: more than one process needs PostgreSQL (DATABASE_URL); the embedded SQLite has one writer, in one process',
    );
  if (config.DATABASE_DIRECT_URL !== null && config.DATABASE_URL === null)
    problems.push('DATABASE_DIRECT_URL: leads past a pooler, and no DATABASE_URL leads to it');
  // The longest body must fit.
  const leastBodyMemory = leastBudgetFor(createVersion.maxBodyBytes, !isOne);
  if (config.BODY_MEMORY_BYTES < leastBodyMemory)
    problems.push(`BODY_MEMORY_BYTES: is under ${leastBodyMemory}`);
  if (config.X_ACCEL_REDIRECT !== null && config.BLOB_STORE !== null)
    problems.push('X_ACCEL_REDIRECT: nginx sends files of a folder, and BLOB_STORE is a bucket');
  if (config.BACKUP_EVERY < 600) problems.push('BACKUP_EVERY: is under ten minutes');
  if (config.PLAY_HOST === config.PREVIEW_HOST) problems.push('PREVIEW_HOST: must not be PLAY_HOST');
  if (config.MAX_FILE_BYTES > config.MAX_VERSION_BYTES)
    problems.push('MAX_FILE_BYTES: is over MAX_VERSION_BYTES');
  if (config.ANONYMOUS_MAX_FILE_BYTES > config.ANONYMOUS_MAX_VERSION_BYTES) {
    problems.push('ANONYMOUS_MAX_FILE_BYTES: is over ANONYMOUS_MAX_VERSION_BYTES');
  }
  return problems;
}

/** Returns the table of docs/self-hosting.md. */
export function settingsAsMarkdown(): string {
  const rows = Object.entries(settings).map(([name, { default: fallback, help }]) => {
    const shown =
      typeof fallback === 'function'
        ? fallback({ PORT: 'PORT', memoryBytes: Number.POSITIVE_INFINITY })
        : fallback;
    return `| \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${help.replaceAll('|', '\\|')} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns the settings in force without secrets, for `config --print`. */
export function printable(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const isSet = value !== null && JSON.stringify(value) !== '{}';
      return [name, isSet && 'secret' in settings[name as SettingName] ? '(set)' : value];
    }),
  );
}
