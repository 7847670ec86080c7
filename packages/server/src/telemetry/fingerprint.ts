import { createHash } from 'node:crypto';
import type { RuntimeError } from '@spaceport/contract/play-reports';
import { firstFrame } from './stack-frames.ts';

/** What makes errors one: that of another version, or with another number in it, is the same. */
export interface Fingerprint {
  readonly fingerprint: string;
  /** File and function; null where nothing tells. */
  readonly place: string | null;
}

const comparedCharacters = 200;
/** Shorter names are a bundler's, and others in each version. */
const shortestName = 3;

export function fingerprintOf(error: Pick<RuntimeError, 'message' | 'source' | 'stack'>): Fingerprint {
  const frame = error.stack === undefined ? null : firstFrame(error.stack);
  const url = frame?.url ?? (error.source && URL.canParse(error.source) ? new URL(error.source) : null);
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

/** The first line, without what differs from one player or time to the next: numbers, ids, and what follows a `?`. */
export function normalMessage(message: string): string {
  const [first = ''] = message.split('\n', 1);
  return first
    .slice(0, comparedCharacters)
    .replaceAll(/(https?:\/\/[^\s?#]+)[?#]\S*/gu, '$1')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/giu, '#')
    .replaceAll(/\d+(?:\.\d+)?/gu, '#')
    .trim();
}

/** A path without what a build or a publish puts into it: `assets/index-BxY12abc.js` → `assets/index.js`. */
export function stableFile(path: string): string {
  const parts = path.replace(/^\/(?:~\d+\/)?/u, '').split('/');
  const name = parts.pop() ?? '';
  return [
    ...parts,
    name.replaceAll(/[-._]([A-Za-z0-9_-]{8,})(?=\.)/gu, (all, part: string) => (isHash(part) ? '' : all)),
  ].join('/');
}

/** Eight characters or more that no word is made of: with a digit, or of both cases without being camelCase. */
function isHash(part: string): boolean {
  return /\d/u.test(part) || /[A-Z]{2}.*[a-z]|[a-z].*[A-Z]{2}/u.test(part);
}
