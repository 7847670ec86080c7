import type { Plugin } from 'vite';

interface Change {
  /** How the path of the file ends. */
  readonly file: string;
  /** What has to be there, and what stands there instead. */
  readonly replaced: readonly (readonly [what: string, by: string])[];
}

/** A module of Node's is asked for where it is used, and no more at the top. */
function late(name: string, asked: string, uses: readonly string[]): Change['replaced'] {
  return [
    [`const ${name} = require('${asked}')`, ''],
    ...uses.map((use) => [`${name}.${use}`, `require('${asked}').${use}`] as const),
  ];
}

const changes: readonly Change[] = [
  // The service speaks plain http, and has sockets and no client of them: https, http2 and tls would take 8 MB.
  {
    file: '/fastify/lib/server.js',
    replaced: [
      ...late('https', 'node:https', ['createServer(']),
      ...late('http2', 'node:http2', ['createSecureServer(', 'createServer(']),
    ],
  },
  {
    file: '/ws/lib/websocket.js',
    replaced: [...late('https', 'https', ['request :']), ...late('tls', 'tls', ['connect('])],
  },
  {
    file: '/prom-client/lib/pushgateway.js',
    replaced: [
      ["const https = require('https')", ''],
      ['? https : http;', "? require('https') : http;"],
    ],
  },
  // A function was compiled for each piece of a path, when the routes are told; the engine compares as fast.
  {
    file: '/find-my-way/lib/node.js',
    replaced: [
      ['const LONG_PREFIX_MIN_LENGTH = 16', 'const LONG_PREFIX_MIN_LENGTH = 2'],
      ['path.indexOf(prefix, i) === i', 'path.startsWith(prefix, i)'],
    ],
  },
  // One was compiled for each route, which is the same for all whose parameters have the same names.
  {
    file: '/find-my-way/lib/handler-storage.js',
    replaced: [
      [
        'this._compileCreateParamsObject(params)',
        'madeOnce(params, () => this._compileCreateParamsObject(params))',
      ],
      [
        'class HandlerStorage {',
        `const made = new Map()
function madeOnce (params, make) {
  const key = JSON.stringify(params)
  if (!made.has(key)) made.set(key, make())
  return made.get(key)
}

class HandlerStorage {`,
      ],
    ],
  },
];

/**
 * Leaves out of packages what they do when they are loaded and the server has no use for. A package that does not look
 * like that any more fails the build.
 */
export function leanPackages(): Plugin {
  const missed = new Set(changes.map(({ file }) => file));
  return {
    name: 'spaceport:lean-packages',
    enforce: 'pre',
    transform: {
      filter: { id: new RegExp(changes.map(({ file }) => `${file.replaceAll('.', '\\.')}$`).join('|'), 'u') },
      handler(code, id) {
        const change = changes.find(({ file }) => id.endsWith(file));
        if (!change) return null;
        missed.delete(change.file);
        return changed(change, code);
      },
    },
    buildEnd(error) {
      if (!error && missed.size > 0) throw new Error(`not in the build: ${[...missed].join(', ')}`);
    },
  };
}

/** @throws where something to be replaced is not there */
export function changed({ file, replaced }: Change, code: string): string {
  let text = code;
  for (const [what, by] of replaced) {
    if (!text.includes(what)) throw new Error(`${file} has no «${what}» any more`);
    text = text.replaceAll(what, by);
  }
  return text;
}
