import type { Json } from '@spaceport/contract/sdk-protocol';
import { isRecord } from './read-message.ts';
import { StageError } from './stage-error.ts';

const deepest = 64;

/** Reads the arguments of a space's call. It checks their types; the service checks their values. */
export interface Arguments {
  /** A key, a slot, a run. */
  text(at: number, name: string): string;
  number(at: number, name: string): number;
  /** Returns undefined for a missing argument. */
  json(at: number, name: string): Json | undefined;
  /** A value that can be saved. */
  data(at: number, name: string): Json | Uint8Array;
  record(at: number, name: string): Readonly<Record<string, unknown>>;
}

/** Returns the reader. Each of its functions throws `invalid`, and names the argument. */
export function argumentsOf(given: readonly unknown[]): Arguments {
  const taken: Arguments = {
    text(at, name) {
      const value = given[at];
      if (typeof value === 'string' && value !== '') return value;
      throw wrong(name, 'must be a text');
    },
    number(at, name) {
      const value = given[at];
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      throw wrong(name, 'must be a finite number');
    },
    json(at, name) {
      const value = given[at];
      if (value === undefined) return undefined;
      if (isJson(value, deepest)) return value;
      throw wrong(name, 'must be JSON: null, numbers, texts, lists and plain objects of them');
    },
    data(at, name) {
      const value = given[at];
      if (value instanceof Uint8Array) return value;
      const json = taken.json(at, name);
      if (json !== undefined) return json;
      throw wrong(name, 'must be JSON or a Uint8Array');
    },
    record(at, name) {
      const value = given[at] ?? {};
      if (isRecord(value)) return value;
      throw wrong(name, 'must be an object');
    },
  };
  return taken;
}

export function wrong(path: string, message: string): StageError {
  return new StageError('invalid', `${path} ${message}`, { issues: [{ path, message }] });
}

/** Returns whether a value is JSON. It ends for cyclic values too, because the depth is limited. */
function isJson(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (depth === 0 || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((item) => isJson(item, depth - 1));
}
