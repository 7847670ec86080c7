import type { Plugin } from 'vite';

interface Change {
  /** The end of the file's path. */
  readonly file: string;
  /** The texts that must be in the file, each with its replacement. */
  readonly replaced: readonly (readonly [what: string, by: string])[];
}

/** Moves the `require` of a Node module from the top of a file to its uses. */
function late(name: string, asked: string, uses: readonly string[]): Change['replaced'] {
  return [
    [`const ${name} = require('${asked}')`, ''],
    ...uses.map((use) => [`${name}.${use}`, `require('${asked}').${use}`] as const),
  ];
}

const changes: readonly Change[] = [
  // The service speaks plain HTTP, and uses sockets without their client: https, http2 and tls would take 8
  // MB.
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
];

/**
 * Removes work that packages do when they are loaded and that the server does not need. If a package has
 * changed so that a text is missing, the build fails.
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

/** @throws if a text to be replaced is missing */
export function changed({ file, replaced }: Change, code: string): string {
  let text = code;
  for (const [what, by] of replaced) {
    if (!text.includes(what)) throw new Error(`${file} has no «${what}» any more`);
    text = text.replaceAll(what, by);
  }
  return text;
}
