/**
 * `npm run bench [-- name …]`: runs every bench/*.bench.ts, or the named ones, one after the other, and
 * writes the results to bench/results.json and, as a page, to bench/RESULTS.md. Benches that did not run keep
 * their figures. Exits with 1 if a bench failed; a missed aim is a finding, not a failure.
 *
 * `npm run bench -- --check [name …]` writes nothing. It prints the figures that are more than 15 % worse
 * than the recorded ones, and exits with 1 if there are any.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from './lib/machine.ts';
import { type BenchRecord, toMarkdown } from './lib/report.ts';
import type { BenchResult } from './lib/result.ts';
import { keepToLoadCores, MissingTool } from './lib/tools.ts';
import { worseRows } from './lib/worse.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const resultsFile = `${folder}results.json`;

const known = globSync('*.bench.ts', { cwd: folder })
  .map((file) => basename(file, '.bench.ts'))
  .sort();
const { values, positionals: wanted } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
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
    if (values.check) {
      console.log(compare(name, result));
      continue;
    }
    records[name] = { at: new Date().toISOString(), machine, result };
    console.log(toMarkdown([records[name]]));
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
  }
  // Written after each bench, so that an interrupted run keeps its results.
  writeFileSync(resultsFile, `${JSON.stringify(records, null, 2)}\n`);
}
if (!values.check) {
  const measured = known.flatMap((name) => records[name] ?? []);
  writeFileSync(`${folder}RESULTS.md`, toMarkdown(measured));
}

/** Returns a line for each figure that is worse than recorded, or a line that none is. */
function compare(name: string, result: BenchResult): string {
  const record = records[name];
  if (!record) return `${name} was never recorded.`;
  const worse = worseRows(record.result, result);
  if (worse.length === 0) return `${name}: as on ${record.at.slice(0, 10)}, or better.`;
  process.exitCode = 1;
  return worse
    .map(({ what, before, now, by }) => {
      const percent = Math.round(by * 100);
      return `${name}: ${what}: ${before.toPrecision(3)} → ${now.toPrecision(3)}, ${percent} % worse`;
    })
    .join('\n');
}

async function runBench(name: string): Promise<BenchResult> {
  const module = (await import(`./${name}.bench.ts`)) as { bench: () => Promise<BenchResult> };
  try {
    return await module.bench();
  } catch (error) {
    // The other benches can still run.
    if (error instanceof MissingTool) return { title: name, method: '', rows: [], missing: [error.message] };
    throw error;
  }
}

function readRecords(): Record<string, BenchRecord> {
  return existsSync(resultsFile)
    ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, BenchRecord>)
    : {};
}
