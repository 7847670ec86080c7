import type { Parser } from './config-parsers.ts';

/** How a setting is read, and what it means. */
export interface Setting<T> {
  readonly parse: Parser<T>;
  /** As it would be written; a function where it follows from other settings. */
  readonly default: string | ((settings: { PORT: string }) => string);
  readonly help: string;
  /** Never printed. */
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
