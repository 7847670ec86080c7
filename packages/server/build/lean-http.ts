import http from 'node:http';
import type { Plugin } from 'vite';

const name = '\0spaceport:lean-http';

/** What node makes when somebody first asks for it: `WebSocket` and its like need the whole of `fetch`. */
const madeWhenAsked = new Set(
  Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([key, { get }]) => (get ? [key] : [])),
);

/**
 * `import … from 'node:http'` asks for each of its exports, and so loads `fetch`, which the server does not use: 3 MB and
 * a twentieth of a start. In the build it is a module of ours that asks for the others alone.
 */
export function leanHttp(): Plugin {
  return {
    name: 'spaceport:lean-http',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:node:)?http$/u },
      // What `require` gives is node's own, and asks for nothing.
      handler: (_source, _importer, { kind }) => (kind === 'require-call' ? null : name),
    },
    load: {
      filter: { id: /lean-http$/u },
      handler() {
        const exported = Object.keys(http).filter((key) => !madeWhenAsked.has(key));
        return `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${exported.join(', ')} } = http;`;
      },
    },
  };
}
