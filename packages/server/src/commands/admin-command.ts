import type { ParseArgsConfig } from 'node:util';
import { CommandError } from '../command-line.ts';
import type { Platform } from '../platform/context.ts';

/** One call of `npm run admin`. */
export interface AdminCommand {
  readonly summary: string;
  /** The options as its help shows them. */
  readonly usage: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(platform: Platform, values: Values): Promise<Record<string, unknown>>;
}

export type Values = Readonly<Record<string, string | boolean>>;

/** The value of an option that has to be given. */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new CommandError(`--${name} is missing.`);
  return value;
}
