import type { Finding } from '@spaceport/contract/versions';
import type { CheckedFile, CheckedVersion } from '../../rule.ts';
import { maxHeadersOfVersion } from './archive-names.ts';
import { type BytePattern, PatternSet } from './byte-watch.ts';
import { FactsReader } from './facts-reader.ts';
import { type ReadFile, type ReadingContext, readFile } from './read-file.ts';

/** What a rule needs from every file. */
export interface FileVisitor {
  readonly patterns?: readonly BytePattern[];
  /** Returns whether to keep a name found in an archive. */
  readonly wantsName?: (name: string) => boolean;
  visit(file: ReadFile): readonly Finding[] | Promise<readonly Finding[]>;
}

interface Visiting {
  readonly visitor: FileVisitor;
  readonly findings: Finding[];
  /** The error that this visitor threw. Only this visitor stops then. */
  error: unknown;
  readonly done: PromiseWithResolvers<Finding[]>;
}

const parallelFiles = 4;
const maxFindingsPerRule = 100;
const maxUnpackedBytesOfVersion = 2 * 1024 * 1024 * 1024;

/** The visitors that wait for the next reading of their version. */
const gathering = new WeakMap<CheckedVersion, Visiting[]>();

/**
 * Shows every file of a version to a visitor. Visitors that come in one turn of the event loop,
 * as rules that start together do, share one reading: each file is opened, unpacked and parsed
 * once, and only a few are in memory.
 * @returns all findings in the order of the files, at most 100
 * @throws the errors of the reading and of this visitor
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
  // This is also aborted when one file fails, because the others are not needed then.
  const failed = new AbortController();
  const signal = AbortSignal.any([version.signal, failed.signal]);
  signal.addEventListener('abort', () => void facts.close(), { once: true });
  const context: ReadingContext = {
    patterns: new PatternSet(visits.flatMap(({ visitor }) => visitor.patterns ?? [])),
    wantsName: (name) => visits.some(({ visitor }) => visitor.wantsName?.(name) ?? false),
    facts,
    budget: { bytes: maxUnpackedBytesOfVersion, headers: maxHeadersOfVersion },
    signal,
  };
  try {
    // All readers share one iterator: each takes the next file when it has finished one.
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
