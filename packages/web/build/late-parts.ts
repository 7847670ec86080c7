import type { Plugin } from 'vite';

const late = /\.late\.tsx$/u;

/**
 * Gives the server's build `part.tsx` in place of `part.late.tsx`, the same part as a script of its own for
 * browsers: a document has the part from the start, and the browser hydrates it when its script is there.
 */
export function latePartsAtOnce(): Plugin {
  return {
    name: 'late-parts-at-once',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(id, importer) {
      return late.test(id) ? this.resolve(id.replace(late, '.tsx'), importer) : null;
    },
  };
}
