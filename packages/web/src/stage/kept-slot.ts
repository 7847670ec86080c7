import { ApiError } from '@spaceport/client/api-error';
import { isOddJson } from '@spaceport/contract/odd-json';
import { putSave, readSaves, type SaveBody, type Save as StoredSave } from '@spaceport/contract/saves';
import { type Entries, readEntries, storageLimits, storageSlot } from '@spaceport/contract/storage-mirror';
import { fromBase64, toBase64 } from './bytes.ts';
import { deviceName } from './device.ts';
import { keepaliveClient } from './keepalive-client.ts';
import type { Theirs } from './kept-rules.ts';
import { type Play, stageClient } from './play.ts';
import { ifMatch } from './saves.ts';
import { readsServiceClock, serviceAheadMs } from './service-clock.ts';

/**
 * The account has another version than the write was based on. The service keeps the write as a losing save.
 */
export class OtherKept extends Error {
  readonly theirs: Theirs | null;
  constructor(theirs: Theirs | null) {
    super('another device has written meanwhile');
    this.theirs = theirs;
  }
}

/** An account's slot for a space's storage. It is neither read nor written once somebody else plays. */
export interface KeptSlot {
  read(): Promise<Theirs | null>;
  /** Writes the slot. Returns its new version. @throws `OtherKept` */
  put(entries: Entries, base: number): Promise<number>;
  /** Writes from a closing page, without an answer. */
  putLast(entries: Entries, base: number): void;
}

/** Largest request of a closing page. */
const mostLastBytes = 60 * 1024;
/** Larger storages are compressed, usually to a fraction of their size. */
const plainBytes = 64 * 1024;

/** Returns the slot of the account that plays now. */
export function createKeptSlot(label: string, play: Pick<Play, 'asPlayer' | 'headers' | 'lane'>): KeptSlot {
  const lane = play.lane();
  const query = { space: label };
  const params = { slot: storageSlot };
  const toTheirs = async (stored: StoredSave): Promise<Theirs> => {
    const { version, device } = stored;
    return {
      entries: await entriesOf(stored),
      at: Date.parse(stored.at) - serviceAheadMs(),
      version,
      device,
    };
  };
  const body = (content: Pick<SaveBody, 'data' | 'base64'>) => ({ ...content, device: deviceName() });
  return {
    async read() {
      const { saves } = await play.asPlayer((headers) => {
        const input = { query: { ...query, slot: storageSlot } };
        return stageClient.call(readSaves, input, { headers, onHeaders: readsServiceClock() });
      }, lane);
      return saves[0] ? toTheirs(saves[0]) : null;
    },
    async put(entries, base) {
      try {
        const input = { params, query, body: body(await packed(entries)) };
        const saved = await play.asPlayer(
          (headers) => stageClient.call(putSave, input, { headers: { ...headers, ...ifMatch(base) } }),
          lane,
        );
        return saved.version;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'conflict' || !('theirs' in error.details))
          throw error;
        const { theirs } = error.details;
        // The answer comes from our own service.
        throw new OtherKept(theirs === null ? null : await toTheirs(theirs as StoredSave));
      }
    },
    putLast(entries, base) {
      const data = asData(entries);
      const text = JSON.stringify(data);
      if (play.lane() !== lane || text.length > mostLastBytes || isOddJson(text)) return;
      const headers = { ...play.headers(), ...ifMatch(base) };
      keepaliveClient.call(putSave, { params, query, body: body({ data }) }, { headers }).catch(() => {});
    },
  };
}

const asData = (entries: Entries) => ({ entries: [...entries] });

async function packed(entries: Entries): Promise<Pick<SaveBody, 'data' | 'base64'>> {
  const data = asData(entries);
  const text = JSON.stringify(data);
  const isPlain = text.length <= plainBytes && !isOddJson(text);
  if (isPlain || typeof CompressionStream === 'undefined') return { data };
  const bytes = await through(new Blob([text]), new CompressionStream('gzip'), storageLimits.packedBytes);
  // The service will answer that it is too large.
  return bytes === null ? { data } : { base64: toBase64(bytes) };
}

async function entriesOf({ data, base64 }: StoredSave): Promise<Entries> {
  const stored: unknown = base64 === undefined ? data : await unpacked(fromBase64(base64));
  const isOurs = typeof stored === 'object' && stored !== null && 'entries' in stored;
  // Unknown content counts as empty. The next write names its version, and the service keeps it as a losing
  // save.
  return (isOurs && readEntries(stored.entries)) || new Map();
}

async function unpacked(bytes: Uint8Array): Promise<unknown> {
  try {
    const packedBytes = new Blob([new Uint8Array(bytes)]);
    const text = await through(packedBytes, new DecompressionStream('gzip'), storageLimits.messageBytes);
    return text === null ? null : JSON.parse(new TextDecoder().decode(text));
  } catch {
    return null;
  }
}

/** Returns null if the output is larger than the limit. */
async function through(
  from: Blob,
  by: CompressionStream | DecompressionStream,
  mostBytes: number,
): Promise<Uint8Array | null> {
  const reader = from.stream().pipeThrough(by).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > mostBytes) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
