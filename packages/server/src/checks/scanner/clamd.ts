import type { Finding } from '@spaceport/contract/versions';
import type { CheckedFile, CheckedVersion, Rule } from '../rule.ts';
import { ruleFindings, shown } from '../rules/finding.ts';
import { type ClamdTarget, clamdAddress } from './address.ts';
import { askClamd, type ClamdTimes, ScannerUnavailable } from './connection.ts';

export interface ClamdOptions {
  /** The address, also as text: `host:port`, or the path of a Unix socket. */
  readonly address: ClamdTarget | string;
  readonly connectMilliseconds?: number;
  /** How long clamd may neither take bytes nor answer. */
  readonly idleMilliseconds?: number;
}

const rule = 'clamd';
const finding = ruleFindings(rule);
/** clamd has ten threads by default, and several checks may run at once. */
const parallelConnections = 4;
const defaultTimes: ClamdTimes = { connectMilliseconds: 5_000, idleMilliseconds: 60_000 };

type Scan = { readonly is: 'clean' | 'too_large' } | { readonly is: 'found'; readonly signature: string };

/**
 * Scans every file with a ClamAV daemon. Files with a detection are refused. Files that could
 * not be scanned are unjudged: clamd was down or too slow, the file was over its size limit, or
 * the answer was not understood.
 * @throws TypeError for an invalid address
 */
export function clamdRule(options: ClamdOptions): Rule {
  const ask = clamdClient(options);
  return {
    name: rule,
    async check(version) {
      const files = onePerHash(version.files).values();
      const findings: Finding[] = [];
      const scanning = Array.from({ length: parallelConnections }, () =>
        scanNext(files, ask.scan, version, findings),
      );
      try {
        await Promise.all(scanning);
        return findings;
      } catch (error) {
        if (!(error instanceof ScannerUnavailable)) throw error;
        // Detections from before the outage still count.
        await Promise.allSettled(scanning);
        return [...findings, unavailable];
      }
    },
  };
}

export interface ClamdClient {
  /** Returns true if a clamd answers. */
  ping(): Promise<boolean>;
  /**
   * Returns the version line of clamd: program, database and its date.
   * @throws ScannerUnavailable
   */
  version(): Promise<string>;
  /** @throws ScannerUnavailable, and the errors of opening the file */
  scan(file: CheckedFile, signal: AbortSignal): Promise<Scan>;
}

/** @throws TypeError for an invalid address */
export function clamdClient({ address, ...given }: ClamdOptions): ClamdClient {
  const target = typeof address === 'string' ? clamdAddress(address) : address;
  const times = { ...defaultTimes, ...given };
  return {
    async ping() {
      try {
        return (await askClamd(target, 'PING', { times })) === 'PONG';
      } catch (error) {
        if (error instanceof ScannerUnavailable) return false;
        throw error;
      }
    },
    version: () => askClamd(target, 'VERSION', { times }),
    async scan(file, signal) {
      return scanOf(await askClamd(target, 'INSTREAM', { times, signal, body: () => file.open() }));
    },
  };
}

function scanOf(answer: string): Scan {
  if (answer === 'stream: OK') return { is: 'clean' };
  const signature = /^stream: (.+) FOUND$/u.exec(answer)?.[1];
  if (signature) return { is: 'found', signature };
  if (/size limit exceeded/iu.test(answer)) return { is: 'too_large' };
  throw new ScannerUnavailable('an answer that is none');
}

async function scanNext(
  files: Iterator<CheckedFile>,
  scan: ClamdClient['scan'],
  { signal }: CheckedVersion,
  findings: Finding[],
): Promise<void> {
  for (let next = files.next(); !next.done; next = files.next()) {
    const { path } = next.value;
    const result = await scan(next.value, signal);
    if (result.is === 'found') {
      const message = `The virus scanner found "${shown(result.signature)}" in it.`;
      findings.push(finding('refuse', path, message, 'Remove the file, and find out where it came from.'));
    } else if (result.is === 'too_large') {
      const message = 'The file is too large for the virus scanner.';
      findings.push(finding('unjudged', path, message, 'Split it into smaller files, or request a review.'));
    }
  }
}

const unavailable: Finding = {
  rule,
  severity: 'unjudged',
  message: 'The virus scanner did not answer, so the files could not be judged.',
  fix: 'Nothing is wrong with the files as far as we know: publish them again later, or request a review.',
};

function onePerHash(files: readonly CheckedFile[]): CheckedFile[] {
  return [...new Map([...files].reverse().map((file) => [file.hash, file])).values()].reverse();
}
