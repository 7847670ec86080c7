import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../platform/errors.ts';
import { bodyTooLarge } from '../platform/http/admit.ts';
import { declaredBytes } from '../platform/http/body-budget.ts';
import type { SizeLimits } from '../versions/manifest.ts';
import type { UploadRoom } from '../versions/upload-room.ts';
import { archiveIn, type Part, partEntries } from './archive.ts';
import { type Entries, maxArchiveBytes } from './entry.ts';
import { isForm, spoolParts } from './form-parts.ts';
import { Spool } from './spool.ts';

export interface IncomingArchive {
  readonly headers: IncomingHttpHeaders;
  readonly source: AsyncIterable<Uint8Array>;
  readonly limits: SizeLimits;
  /** The sender, for whom the bytes under way are limited. */
  readonly sender: string;
  readonly room: UploadRoom;
  readonly temporaryFolder: string;
}

export interface ReceivedArchive {
  readonly entries: Entries;
  readonly packedBytes: number;
  close(): Promise<void>;
}

/**
 * Writes a body into a temporary file as it arrives.
 * @throws `too_large`, `rate_limited` if the sender has too many bytes under way, `invalid_files` if it is
 * not an archive, and the errors of the source
 */
export async function receiveArchive(incoming: IncomingArchive): Promise<ReceivedArchive> {
  const { headers, limits } = incoming;
  const maxBytes = maxArchiveBytes(limits);
  if ((declaredBytes(headers) ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const held: (() => void)[] = [];
  const spool = await Spool.create(incoming.temporaryFolder);
  const close = async () => {
    for (const leave of held) leave();
    await spool.close();
  };
  try {
    const source = bounded(incoming, maxBytes, held);
    const entries = isForm(headers)
      ? await entriesOfForm(await spoolParts(headers, source, spool), limits)
      : await entriesOfBody(source, spool, limits);
    return { entries, packedBytes: spool.size, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Room is reserved in steps of this size, so that a body without a length does not
 * reserve more than it needs.
 */
const stepBytes = 1024 * 1024;

async function* bounded(
  { source, sender, room }: IncomingArchive,
  maxBytes: number,
  held: (() => void)[],
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    while (held.length * stepBytes < bytes)
      held.push(await room.enterBytes(sender, stepBytes, maxBytes + stepBytes));
    yield chunk;
  }
}

async function entriesOfBody(
  source: AsyncIterable<Uint8Array>,
  spool: Spool,
  limits: SizeLimits,
): Promise<Entries> {
  for await (const chunk of source) await spool.append(chunk);
  const entries = await archiveIn(spool, limits);
  if (entries) return entries;
  throw new ServiceError('invalid_files', 'The body is neither a zip nor a tar nor a tar.gz archive.', {
    next: (app) => `Send one, or the files as form data: ${app}/docs/publish.md shows the calls.`,
  });
}

/** A form with one file that is an archive is treated as that archive. */
async function entriesOfForm(parts: readonly Part[], limits: SizeLimits): Promise<Entries> {
  const [only] = parts;
  const archive = only && parts.length === 1 ? await archiveIn(only.bytes, limits) : null;
  return archive ?? partEntries(parts);
}
