import type { Parser } from './config-parsers.ts';

/** How a setting is read, and what it means. */
export interface Setting<T> {
  readonly parse: Parser<T>;
  /** The default as it would be written; a function if it depends on other settings. */
  readonly default: string | ((settings: { PORT: string }) => string);
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
