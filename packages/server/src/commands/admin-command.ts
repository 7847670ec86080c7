import type { ParseArgsConfig } from 'node:util';
import { CommandError } from '../command-line.ts';
import type { Config } from '../config.ts';
import type { Platform } from '../platform/context.ts';

/** One call of `npm run admin`. */
export interface AdminCommand {
  readonly summary: string;
  /** The options as its help shows them. */
  readonly usage: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(machine: Machine, values: Values): Promise<Record<string, unknown>>;
  /** Its answer for people, where that is not a line a field. */
  asText?(answer: Record<string, unknown>): string;
}

/** Where a call runs. */
export interface Machine {
  readonly config: Config;
  /** Opens the installation: its tables and keys are made where there are none yet. Closed after the call. */
  platform(): Promise<Platform>;
}

/** A call on an installation that is there, as all but a few are. */
export function onPlatform(
  run: (platform: Platform, values: Values) => Promise<Record<string, unknown>>,
): AdminCommand['run'] {
  return async (machine, values) => run(await machine.platform(), values);
}

export type Values = Readonly<Record<string, string | boolean>>;

/** The value of an option that has to be given. */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new CommandError(`--${name} is missing.`);
  return value;
}
