import { secretInText, secretKind, secretKinds } from '../secrets/secret.ts';
import { sharedMemoryWords, usesSharedMemory, wordContext } from './shared-memory-text.ts';
import { SharedMemoryReader } from './wasm-memory.ts';

export interface Inspection {
  /**
   * True if a page that loads these bytes needs cross-origin isolation: they use memory shared between
   * threads.
   */
  sharedMemory: boolean;
  /** Texts that look like our own secrets and have the right checksum. Each is listed once, at most 100. */
  secretCandidates: string[];
  /** True if there are more than were checked, so that the file may hold others. */
  unreadSecrets: boolean;
}
export interface Inspector {
  /** Inspects a chunk. The chunk may be reused once this returns: bytes that are needed later are copied. */
  update(chunk: Uint8Array): void;
  result(): Inspection;
}

const maxCandidates = 100;
/** How many beginnings of secrets are checked in a file. No honest file has nearly as many. */
const maxBeginnings = 10_000;
/** How many words are checked in a file, so that a file full of them costs no more than another. */
const maxWords = 10_000;
/**
 * No match is longer than this, so it is enough to look at this many bytes again together with the next ones.
 */
const overlapBytes = wordContext.before + wordContext.after;
/** Smaller chunks are gathered, because the overlap is looked at again with each scan. */
const leastScanBytes = 16 * 1024;
const longestSecret = 'sp_secret_'.length + 43 + 6;
/** How all secrets begin. It is short enough for the fast search for short texts: one such search, not one for each kind. */
const secretPrefix = Buffer.from('sp_');
const secretStarts = secretKinds.map((kind) => Buffer.from(`sp_${kind}_`));
/** How many prefixes may begin no secret before each kind is searched for by itself, whatever the file has. */
const maxStrays = 10_000;
const secretHere = new RegExp(secretInText.source, 'uy');
const words = sharedMemoryWords.map((word) => Buffer.from(word));

/**
 * Makes an inspector of a file's bytes as they stream by. It reads more than 1 GB/s and keeps a few
 * kilobytes. The size of the chunks makes no difference. Compressed content (an engine build in gzip or
 * brotli) is not inspected: the needs of such a build show in its loader, which is plain script.
 */
export function createInspector(): Inspector {
  const wasm = new SharedMemoryReader();
  const candidates = new Set<string>();
  let sharedInText = false;
  let wordsLeft = maxWords;
  let beginnings = 0;
  let strays = 0;
  let unreadSecrets = false;
  /** The last bytes of the previous scan: a match that begins in them may end in the next bytes. */
  let overlap = Buffer.alloc(0);
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;

  function lookForSecrets(bytes: Buffer): void {
    for (const at of secretBeginnings(bytes)) {
      beginnings += 1;
      unreadSecrets ||= beginnings > maxBeginnings || candidates.size > maxCandidates;
      if (unreadSecrets) return;
      const secret = secretAt(bytes, at);
      if (secret !== null) candidates.add(secret);
    }
  }

  function* secretBeginnings(bytes: Buffer): Generator<number> {
    let from = 0;
    while (strays <= maxStrays) {
      const at = bytes.indexOf(secretPrefix, from);
      if (at === -1) return;
      from = at + 1;
      if (secretStarts.some((start) => isAt(bytes, at, start))) yield at;
      else strays += 1;
    }
    for (const start of secretStarts) yield* occurrences(bytes, start, from);
  }

  function look(bytes: Buffer): void {
    lookForSecrets(bytes);
    // Earlier words were checked in the previous scan, with the bytes before them, which are missing here.
    const from = overlap.byteLength === 0 ? 0 : wordContext.before;
    for (const text of sharedInText ? [] : aroundWords(bytes, from)) {
      wordsLeft -= 1;
      if (wordsLeft < 0) break;
      sharedInText = usesSharedMemory(text);
      if (sharedInText) break;
    }
  }

  /** Scans a large chunk in place. Only the seam to the earlier bytes is copied. */
  function lookAtLarge(bytes: Buffer): void {
    if (overlap.byteLength > 0) look(Buffer.concat([overlap, bytes.subarray(0, overlapBytes)]));
    look(bytes);
    overlap = Buffer.from(bytes.subarray(-overlapBytes));
  }

  function lookAtGathered(): void {
    const bytes = Buffer.concat([overlap, ...gathered]);
    gathered = [];
    gatheredBytes = 0;
    look(bytes);
    overlap = Buffer.from(bytes.subarray(-overlapBytes));
  }

  return {
    update(chunk) {
      wasm.update(chunk);
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (bytes.byteLength >= leastScanBytes && gatheredBytes === 0) return lookAtLarge(bytes);
      gathered.push(Buffer.from(bytes));
      gatheredBytes += bytes.byteLength;
      if (gatheredBytes >= leastScanBytes) lookAtGathered();
    },
    result() {
      if (gatheredBytes > 0) lookAtGathered();
      return { sharedMemory: wasm.shared || sharedInText, secretCandidates: [...candidates], unreadSecrets };
    },
  };
}

/** Matches anew from each beginning: a false match must not hide a real secret that begins inside it. */
function secretAt(bytes: Buffer, at: number): string | null {
  secretHere.lastIndex = 0;
  const candidate = secretHere.exec(bytes.toString('latin1', at, at + longestSecret))?.[0];
  return candidate !== undefined && secretKind(candidate) !== null ? candidate : null;
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  return bytes.subarray(at, at + text.byteLength).equals(text);
}

function* aroundWords(bytes: Buffer, from: number): Generator<string> {
  for (const word of words) {
    for (const at of occurrences(bytes, word, from)) {
      yield bytes.toString('latin1', Math.max(0, at - wordContext.before), at + wordContext.after);
    }
  }
}

function* occurrences(bytes: Buffer, word: Buffer, from = 0): Generator<number> {
  for (let at = bytes.indexOf(word, from); at !== -1; at = bytes.indexOf(word, at + 1)) yield at;
}
