import { secretInText, secretKind, secretKinds } from '../secrets/secret.ts';
import { sharedMemoryWords, usesSharedMemory, wordContext } from './shared-memory-text.ts';
import { SharedMemoryReader } from './wasm-memory.ts';

export interface Inspection {
  /** The page that loads these bytes needs cross-origin isolation: they use memory shared between threads. */
  sharedMemory: boolean;
  /** Texts of the form of our own secrets whose checksum is right, each once, at most 100. */
  secretCandidates: string[];
  /** There are more than are looked at: what is in the file is not known. */
  unreadSecrets: boolean;
}
export interface Inspector {
  /** The chunk is free again once this returns: what is needed of it later is copied. */
  update(chunk: Uint8Array): void;
  result(): Inspection;
}

const maxCandidates = 100;
/** Beginnings of secrets looked at closely per file; no honest file has nearly as many. */
const maxBeginnings = 10_000;
/** Words looked at closely per file, so that a file full of them costs no more than another. */
const maxWords = 10_000;
/** No find is longer than this, so it suffices to look at this much again together with what follows. */
const overlapBytes = wordContext.before + wordContext.after;
/** Smaller chunks are gathered, lest every one of them has the overlap looked at again. */
const leastScanBytes = 16 * 1024;
const longestSecret = 'sp_secret_'.length + 43 + 6;
const secretStarts = secretKinds.map((kind) => Buffer.from(`sp_${kind}_`));
const secretHere = new RegExp(secretInText.source, 'uy');
const words = sharedMemoryWords.map((word) => Buffer.from(word));

/**
 * Looks at a file's bytes as they stream by, at more than 1 GB/s, keeping a few kilobytes of them. How they are cut
 * into chunks makes no difference. Compressed content (an engine build in gzip or brotli) is not looked into: what
 * such a build needs shows in its loader, which is plain script.
 */
export function createInspector(): Inspector {
  const wasm = new SharedMemoryReader();
  const candidates = new Set<string>();
  let sharedInText = false;
  let wordsLeft = maxWords;
  let beginnings = 0;
  let unreadSecrets = false;
  /** The last bytes that were looked at: what begins among them may go on in what follows. */
  let overlap = Buffer.alloc(0);
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;

  function lookForSecrets(bytes: Buffer): void {
    for (const start of secretStarts) {
      for (const at of occurrences(bytes, start)) {
        beginnings += 1;
        unreadSecrets ||= beginnings > maxBeginnings || candidates.size > maxCandidates;
        if (unreadSecrets) return;
        const secret = secretAt(bytes, at);
        if (secret !== null) candidates.add(secret);
      }
    }
  }

  function look(bytes: Buffer): void {
    lookForSecrets(bytes);
    // Words before that were looked at with what stands before them, which here is missing.
    const from = overlap.byteLength === 0 ? 0 : wordContext.before;
    for (const text of sharedInText ? [] : aroundWords(bytes, from)) {
      wordsLeft -= 1;
      if (wordsLeft < 0) break;
      sharedInText = usesSharedMemory(text);
      if (sharedInText) break;
    }
  }

  /** Where they lie: only the seam to what came before is put together. */
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

/** From each beginning anew: one that is none must not swallow a real one that begins inside it. */
function secretAt(bytes: Buffer, at: number): string | null {
  secretHere.lastIndex = 0;
  const candidate = secretHere.exec(bytes.toString('latin1', at, at + longestSecret))?.[0];
  return candidate !== undefined && secretKind(candidate) !== null ? candidate : null;
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
