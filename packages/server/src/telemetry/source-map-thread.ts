import { SourceMap } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { MapWork, Position } from './read-source-map.ts';

/**
 * The program of the thread that reads source maps. Published maps are untrusted: they may contain
 * anything, and take any time.
 */
const longestName = 300;
// Only read-source-map.ts starts this thread.
const { map, places } = workerData as MapWork;

const read = new SourceMap(JSON.parse(new TextDecoder().decode(map)));
parentPort?.postMessage(
  places.map(({ line, column }): Position | null => {
    const entry = read.findEntry(line, column);
    // The nearest mapping before a position may belong to another line. Then the position has no mapping.
    if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return null;
    if (entry.generatedLine !== line) return null;
    return {
      source: plainName(entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  }),
);

/** Makes `src/a.ts` from `webpack://game/./src/a.ts` and `../../src/a.ts`, without line ends. */
function plainName(source: string): string {
  return source
    .slice(0, longestName)
    .replaceAll(/\p{C}/gu, '')
    .replace(/^[a-z]+:\/\/[^/]*\//u, '')
    .replace(/^(?:\.{0,2}\/)+/u, '');
}
