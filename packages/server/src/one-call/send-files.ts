import type { UploadEntry } from '@spaceport/contract/versions';
import type { VersionId } from '../platform/db/ids.ts';
import type { BodyBudget } from '../platform/http/body-budget.ts';
import type { Uploads } from '../versions/uploads.ts';
import type { Entries } from './entry.ts';
import type { Scan } from './scan.ts';

/** Files up to this size are sent in parallel, as a client does. A larger file is sent alone. */
const smallBytes = 128 * 1024;
const atOnce = 8;

export interface Sending {
  readonly uploads: Uploads;
  readonly bodies: BodyBudget;
  readonly network: string;
  readonly now: () => number;
}

/**
 * Reads an archive a second time and sends the files that the service lacks, each once.
 * @throws the errors of an upload
 */
export async function sendFiles(
  entries: Entries,
  { hashes }: Scan,
  version: { readonly id: VersionId; readonly uploads: readonly UploadEntry[] },
  { uploads, bodies, network, now }: Sending,
): Promise<void> {
  const lacking = new Set(version.uploads.map(({ sha256 }) => sha256));
  const underWay = new Set<Promise<void>>();
  const send = async (file: { hash: string; size: number }, source: AsyncIterable<Uint8Array>) => {
    const expiresAtSeconds = Math.ceil(now() / 1000) + 60;
    const grant = { versionId: version.id, ...file, expiresAtSeconds };
    await uploads.receive({ grant, source, declaredLength: file.size, network, bodies });
  };
  let index = -1;
  try {
    for await (const entry of entries()) {
      if (lacking.size === 0) break;
      index += 1;
      const file = hashes.get(index);
      if (file === undefined || !lacking.delete(file.hash)) continue;
      if (file.size > smallBytes) {
        await send(file, entry.read());
        continue;
      }
      const chunks = await Array.fromAsync(entry.read());
      const sent = send(file, inOrder(chunks)).finally(() => underWay.delete(sent));
      sent.catch(() => {});
      underWay.add(sent);
      if (underWay.size >= atOnce) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
