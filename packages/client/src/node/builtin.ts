import { createRequire } from 'node:module';

interface Builtins {
  'node:http': typeof import('node:http');
  'node:https': typeof import('node:https');
  'node:net': typeof import('node:net');
  'node:stream': typeof import('node:stream');
  'node:tls': typeof import('node:tls');
}

// Node 20.12, the oldest that is supported, has no `process.getBuiltinModule`.
const load = createRequire(import.meta.url);

/**
 * Returns a module of Node. Not imported: an import reads all exports of the module, and one of node:http loads the
 * global fetch.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  // A name of Node is never another module.
  return load(name) as Builtins[Name];
}
