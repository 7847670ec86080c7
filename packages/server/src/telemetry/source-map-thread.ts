import { SourceMap } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { MapWork, Position } from './read-source-map.ts';

/** The program of the thread that reads source maps: what a stranger published may be anything, and take any time. */
const longestName = 300;
// Given by read-source-map.ts alone.
const { map, places } = workerData as MapWork;

const read = new SourceMap(JSON.parse(new TextDecoder().decode(map)));
parentPort?.postMessage(
  places.map(({ line, column }): Position | null => {
    const entry = read.findEntry(line, column);
    // The nearest mapping before it may be of another line: then nothing is known of this one.
    if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return null;
    if (entry.generatedLine !== line) return null;
    return {
      source: plainName(entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  }),
);

/** `webpack://game/./src/a.ts` and `../../src/a.ts` are `src/a.ts`; nothing in it ends a line. */
function plainName(source: string): string {
  return source
    .slice(0, longestName)
    .replaceAll(/\p{C}/gu, '')
    .replace(/^[a-z]+:\/\/[^/]*\//u, '')
    .replace(/^(?:\.{0,2}\/)+/u, '');
}
