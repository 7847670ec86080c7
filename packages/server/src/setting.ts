import type { Parser } from './config-parsers.ts';

/** What defaults depend on. */
export interface Surroundings {
  readonly PORT: string;
  /** The memory that the process may use. */
  readonly memoryBytes: number;
}

/** How a setting is read, and what it means. */
export interface Setting<T> {
  readonly parse: Parser<T>;
  /** The default as it would be written; a function if it depends on its surroundings. */
  readonly default: string | ((surroundings: Surroundings) => string);
  readonly help: string;
  /** The value is never printed. */
  readonly secret?: true;
}

export function setting<T>(
  parse: Parser<T>,
  defaultValue: Setting<T>['default'],
  help: string,
  options: { secret?: true } = {},
): Setting<T> {
  return { parse, default: defaultValue, help, ...options };
}
