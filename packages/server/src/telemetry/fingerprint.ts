import { createHash } from 'node:crypto';
import type { RuntimeError } from '@spaceport/contract/play-reports';
import { firstFrame } from './stack-frames.ts';

/**
 * What identifies an error. An error from another version, or with another number in its message,
 * has the same fingerprint.
 */
export interface Fingerprint {
  readonly fingerprint: string;
  /** File and function; null if unknown. */
  readonly place: string | null;
}

const comparedCharacters = 200;
/** Shorter names come from a bundler, and change with each version. */
const shortestName = 3;

export function fingerprintOf(error: Pick<RuntimeError, 'message' | 'source' | 'stack'>): Fingerprint {
  const frame = error.stack === undefined ? null : firstFrame(error.stack);
  const url = frame?.url ?? (error.source === undefined ? null : URL.parse(error.source));
  const file = url && stableFile(url.pathname);
  const name = frame?.functionName ?? null;
  const compared = [
    normalMessage(error.message),
    file ?? '',
    name && name.length >= shortestName ? name : '',
  ];
  return {
    fingerprint: createHash('sha256').update(JSON.stringify(compared)).digest('base64url').slice(0, 22),
    place: file && (name === null ? file : `${file}, ${name}`),
  };
}

/**
 * Returns the first line of a message, without the parts that differ between players or times: numbers, ids,
 * and the text after a `?`.
 */
export function normalMessage(message: string): string {
  const [first = ''] = message.split('\n', 1);
  return first
    .slice(0, comparedCharacters)
    .replaceAll(/(https?:\/\/[^\s?#]+)[?#]\S*/gu, '$1')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/giu, '#')
    .replaceAll(/\d+(?:\.\d+)?/gu, '#')
    .trim();
}

/**
 * Returns a path without the parts that a build or a publish adds:
 * `assets/index-BxY12abc.js` → `assets/index.js`.
 */
export function stableFile(path: string): string {
  const parts = path.replace(/^\/(?:~\d+\/)?/u, '').split('/');
  const name = parts.pop() ?? '';
  return [
    ...parts,
    name.replaceAll(/[-._]([A-Za-z0-9_-]{8,})(?=\.)/gu, (all, part: string) => (isHash(part) ? '' : all)),
  ].join('/');
}

/**
 * Returns whether a text of eight or more characters is no word: it has a digit, or mixes cases
 * without being camelCase.
 */
function isHash(part: string): boolean {
  return /\d/u.test(part) || /[A-Z]{2}.*[a-z]|[a-z].*[A-Z]{2}/u.test(part);
}
