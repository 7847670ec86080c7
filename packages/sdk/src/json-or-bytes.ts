import type { Json } from '@spaceport/contract/sdk-protocol';
import { fault } from './faults.ts';
import type { Given } from './types.ts';

/** Returns whether a value is bytes, also of a nested page, which has a `Uint8Array` of its own. */
export function isBytes(value: unknown): value is Uint8Array {
  return kindOf(value) === 'Uint8Array';
}

const kindOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1);
/** Bytes, which JSON would write as `{}` or as an object of numbers. */
const bytes = ['Uint8Array', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'];

/**
 * Returns a copy of the data that a space passes, as JSON stores it.
 * @throws `invalid` for a value that JSON cannot represent
 */
export function copyOf(data: Given): Json | Uint8Array {
  return isBytes(data) ? data.slice() : jsonCopyOf(data);
}

/**
 * Returns a copy of the data that a space passes where no bytes are taken.
 * @throws `invalid` for a value that JSON cannot represent
 */
export function jsonCopyOf(data: Given): Json {
  return JSON.parse(jsonOf(data));
}

/**
 * Returns data that a space passes as JSON.
 * @throws `invalid` for a value that JSON cannot represent
 */
export function jsonOf(data: Given): string {
  try {
    const json = bytes.includes(kindOf(data)) ? undefined : JSON.stringify(data);
    if (json !== undefined) return json;
  } catch {
    // It contains itself, or a BigInt.
  }
  throw fault('invalid', 'data must be JSON, or a Uint8Array where bytes are taken');
}

/** Returns the bytes that data takes where it is kept. */
export function bytesOf(data: Given): number {
  return isBytes(data) ? data.length : new TextEncoder().encode(jsonOf(data)).length;
}
