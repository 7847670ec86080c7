import type { Finding } from '@spaceport/contract/versions';
import type { CheckedFile, CheckedVersion } from '../../rule.ts';
import { type BytePattern, PatternSet } from './byte-watch.ts';
import { FactsReader } from './facts-reader.ts';
import { type ReadFile, type ReadingContext, readFile } from './read-file.ts';

/** What a rule wants of every file. */
export interface FileVisitor {
  readonly patterns?: readonly BytePattern[];
  /** Which names in archives to keep. */
  readonly wantsName?: (name: string) => boolean;
  visit(file: ReadFile): readonly Finding[] | Promise<readonly Finding[]>;
}

interface Visiting {
  readonly visitor: FileVisitor;
  readonly findings: Finding[];
  /** What this visitor threw: it stops, the others go on. */
  error: unknown;
  readonly done: PromiseWithResolvers<Finding[]>;
}

const parallelFiles = 4;
const maxFindingsPerRule = 100;
const maxUnpackedBytesOfVersion = 2 * 1024 * 1024 * 1024;

/** Rules that wait for the next reading of their version. */
const gathering = new WeakMap<CheckedVersion, Visiting[]>();

/**
 * Shows every file of a version to a visitor. Visitors that come in one turn of the event loop, as rules started
 * together do, share one reading: each file is opened, unpacked and parsed once, and only a few are in memory.
 * @returns all findings, in the order of the files; at most 100.
 * @throws what reading threw, or this visitor.
 */
export function eachFile(version: CheckedVersion, visitor: FileVisitor): Promise<Finding[]> {
  const visiting: Visiting = { visitor, findings: [], error: null, done: Promise.withResolvers() };
  const together = gathering.get(version);
  if (together) {
    together.push(visiting);
  } else {
    const first = [visiting];
    gathering.set(version, first);
    setImmediate(() => {
      gathering.delete(version);
      void readTogether(version, first);
    });
  }
  return visiting.done.promise;
}

async function readTogether(version: CheckedVersion, visits: readonly Visiting[]): Promise<void> {
  const facts = new FactsReader();
  // Aborted by one file that fails, too: nobody wants the others then.
  const failed = new AbortController();
  const signal = AbortSignal.any([version.signal, failed.signal]);
  signal.addEventListener('abort', () => void facts.close(), { once: true });
  const context: ReadingContext = {
    patterns: new PatternSet(visits.flatMap(({ visitor }) => visitor.patterns ?? [])),
    wantsName: (name) => visits.some(({ visitor }) => visitor.wantsName?.(name) ?? false),
    facts,
    budget: { bytes: maxUnpackedBytesOfVersion },
    signal,
  };
  try {
    // One iterator for all: each takes the next file when it is through with one.
    const files = version.files.values();
    await Promise.all(Array.from({ length: parallelFiles }, () => readNext(files, visits, context)));
    signal.throwIfAborted();
    const order = new Map(version.files.map(({ path }, index) => [path, index]));
    const place = ({ path }: Finding): number => order.get(path ?? '') ?? -1;
    for (const { findings, error, done } of visits) {
      if (error === null) done.resolve(findings.sort((one, other) => place(one) - place(other)));
      else done.reject(error);
    }
  } catch (error) {
    failed.abort(error);
    for (const { done } of visits) done.reject(error);
  } finally {
    await facts.close();
  }
}

async function readNext(
  files: Iterator<CheckedFile>,
  visits: readonly Visiting[],
  context: ReadingContext,
): Promise<void> {
  for (let next = files.next(); !next.done; next = files.next()) {
    const file = await readFile(next.value, context);
    context.signal.throwIfAborted();
    for (const visiting of visits) await visit(visiting, file);
  }
}

async function visit(visiting: Visiting, file: ReadFile): Promise<void> {
  if (visiting.error !== null) return;
  try {
    const found = await visiting.visitor.visit(file);
    visiting.findings.push(...found.slice(0, maxFindingsPerRule - visiting.findings.length));
  } catch (error) {
    visiting.error = error;
  }
}
