import type { Backend } from './backend.ts';
import { fault } from './faults.ts';
import type { Spaceport } from './types.ts';

/**
 * Calls a method of the interface by its name, with arguments as a JSON array. Returns the answer as JSON.
 * Values that JSON cannot represent have another form: bytes are `{"base64"}`, and a run is a name that is
 * passed to `run.submit`.
 */
export async function callJson(
  api: Spaceport,
  backend: Backend,
  method: string,
  text: string,
): Promise<string> {
  const args: unknown = readJson(text);
  if (!Array.isArray(args)) throw fault('invalid', 'arguments are a JSON array');
  // Methods that take a function cannot be called with JSON.
  const asked = ['run', 'run.submit'].includes(method)
    ? (...given: unknown[]) => backend.call(method as 'run', withMore(method, given) as [string])
    : ['on', 'call', 'saves.onConflict'].includes(method) || method.startsWith('rooms.')
      ? undefined
      : methodOf(api, method);
  if (!asked) throw fault('unsupported', `there is no ${method} to call`);
  return JSON.stringify((await asked(...args)) ?? null, (_key, value) =>
    value instanceof Uint8Array
      ? { base64: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
      : value,
  );
}

function withMore(method: string, given: unknown[]): unknown[] {
  return method === 'run.submit' ? [given[0], given[1], given[2] ?? {}] : given;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value) =>
      value && typeof value.base64 === 'string' && Object.keys(value).length === 1
        ? Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0))
        : value,
    );
  } catch (error) {
    throw fault('invalid', `arguments are no JSON: ${error}`);
  }
}

function methodOf(api: object, name: string): ((...args: unknown[]) => unknown) | undefined {
  let found: unknown = api;
  for (const part of name.split('.')) {
    found =
      typeof found === 'object' && found && Object.keys(found).includes(part)
        ? Reflect.get(found, part)
        : undefined;
  }
  return typeof found === 'function' ? (found as (...args: unknown[]) => unknown) : undefined;
}
