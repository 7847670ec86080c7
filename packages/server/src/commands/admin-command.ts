import type { ParseArgsConfig } from 'node:util';
import { CommandError } from '../command-line.ts';
import type { Config } from '../config.ts';
import type { Platform } from '../platform/context.ts';

/** One command of `npm run admin`. */
export interface AdminCommand {
  readonly summary: string;
  /** The options as its help shows them. */
  readonly usage: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(machine: Machine, values: Values): Promise<Record<string, unknown>>;
  /** Formats its result for people; by default one line for each field. */
  asText?(answer: Record<string, unknown>): string;
}

/** The machine that a command runs on. */
export interface Machine {
  readonly config: Config;
  /**
   * Opens the installation. Its tables and keys are made if there are none yet. It is closed after the
   * command.
   */
  platform(): Promise<Platform>;
  /**
   * Opens the installation if the service was started before. Otherwise nothing is made.
   * @throws `NotInstalled`
   */
  installed(): Promise<Platform>;
}

/** Makes a command that only looks at an installation, unless it is told to mend. */
export function onInstalled(
  run: (platform: Platform, values: Values) => Promise<Record<string, unknown>>,
): AdminCommand['run'] {
  return async (machine, values) => run(await machine.installed(), values);
}

/** Makes a command that opens the installation, as nearly all do. */
export function onPlatform(
  run: (platform: Platform, values: Values) => Promise<Record<string, unknown>>,
): AdminCommand['run'] {
  return async (machine, values) => run(await machine.platform(), values);
}

export type Values = Readonly<Record<string, string | boolean>>;

/**
 * Returns the value of a required option.
 * @throws `CommandError` if it is missing
 */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new CommandError(`--${name} is missing.`);
  return value;
}

/** Returns the value of an option; null if it is missing or blank. */
export function optional(values: Values, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
