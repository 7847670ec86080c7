/**
 * `npm run bench [-- name …]`: runs every bench/*.bench.ts, or those that are named, one after the other, and writes
 * what they gave to bench/results.json and, to be read, bench/RESULTS.md. Benches that were not run keep the figures
 * they had. Ends with 1 where a bench failed; an aim that is missed is a finding, no failure.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine } from './lib/machine.ts';
import { type BenchRecord, toMarkdown } from './lib/report.ts';
import type { BenchResult } from './lib/result.ts';
import { keepToLoadCores, MissingTool } from './lib/tools.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const resultsFile = `${folder}results.json`;

const known = globSync('*.bench.ts', { cwd: folder })
  .map((file) => basename(file, '.bench.ts'))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}

keepToLoadCores();
const records = readRecords();
const machine = describeMachine();
console.log(machine);
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n${name} …`);
  try {
    const result = await runBench(name);
    records[name] = { at: new Date().toISOString(), machine, result };
    console.log(toMarkdown([records[name]]));
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
  }
  // After each, so that a run that is cut short leaves what it had.
  writeFileSync(resultsFile, `${JSON.stringify(records, null, 2)}\n`);
}
const measured = known.flatMap((name) => records[name] ?? []);
writeFileSync(`${folder}RESULTS.md`, `${toMarkdown(measured)}`);

async function runBench(name: string): Promise<BenchResult> {
  const module = (await import(`./${name}.bench.ts`)) as { bench: () => Promise<BenchResult> };
  try {
    return await module.bench();
  } catch (error) {
    // The others can still be run.
    if (error instanceof MissingTool) return { title: name, method: '', rows: [], missing: [error.message] };
    throw error;
  }
}

function readRecords(): Record<string, BenchRecord> {
  return existsSync(resultsFile)
    ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, BenchRecord>)
    : {};
}
