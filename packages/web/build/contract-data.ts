import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const contractModule = /\/packages\/contract\/src\/[\w-]+\.ts$/u;

/**
 * Returns a plugin that removes the schemas from the contract. A browser needs only the contract's data:
 * operations to call, limits and lists of values. The server validates requests. The plugin replaces each
 * module of the contract that uses zod by its plain values, which it computes here. If a page imports a
 * schema or a function of such a module, the build fails.
 */
export function contractData(): Plugin {
  return {
    name: 'contract-data',
    enforce: 'pre',
    async load(id) {
      if (!contractModule.test(id)) return null;
      const source = await readFile(id, 'utf8');
      // Imports of types only are not there at run time, so such a module stays as it is.
      if (!/^(?:import (?!type )|export [*{])[^;]*from '(?:zod|\.\/)/mu.test(source)) return null;
      const values: Record<string, unknown> = await import(pathToFileURL(id).href);
      const lines = Object.entries(values).flatMap(([name, value]) => {
        const text = literalOf(value);
        return text === null ? [] : [`export const ${name} = ${text};`];
      });
      return { code: lines.join('\n'), map: null, moduleType: 'js' };
    },
  };
}

/** Returns a value as source text, or null if it is not a plain value. */
function literalOf(value: unknown): string | null {
  if (value instanceof Set) return literalOf([...value])?.replace(/^(.*)$/su, 'new Set($1)') ?? null;
  if (isOperation(value)) return describe(value);
  if (Array.isArray(value)) {
    const parts = value.map(literalOf);
    return parts.includes(null) ? null : `[${parts.join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    if (Object.getPrototypeOf(value) !== Object.prototype) return null;
    const parts = Object.entries(value).map(([key, each]) => [JSON.stringify(key), literalOf(each)] as const);
    return parts.some(([, text]) => text === null)
      ? null
      : `{${parts.map(([key, text]) => `${key}:${text}`).join(',')}}`;
  }
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null
    ? JSON.stringify(value)
    : null;
}

interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly edge: string;
  readonly media?: readonly string[];
}

function isOperation(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && 'answers' in value && 'credential' in value;
}

/** Returns the fields of an operation that the client reads, as source text. */
function describe({ id, method, path, credential, edge, media }: Described): string {
  return JSON.stringify({ id, method, path, credential, edge, media });
}
