import type { IncomingHttpHeaders } from 'node:http';
import busboy, { type BusboyInstance } from '@fastify/busboy';
import { maxFiles } from '@spaceport/contract/versions';
import { drained } from '../platform/drained.ts';
import { ServiceError } from '../platform/errors.ts';
import { largestOf } from '../versions/manifest.ts';
import type { Part } from './archive.ts';
import { brokenArchive } from './entry.ts';
import { lengthProblem } from './entry-name.ts';
import { unpublishable } from './scan.ts';
import { partOf, type Spool } from './spool.ts';

/** The most parts of a form, including unpublished ones. Published files have a limit of their own. */
const maxParts = 20_000;

export function isForm(headers: IncomingHttpHeaders): boolean {
  return /^\s*multipart\//iu.test(headers['content-type'] ?? '');
}

/**
 * Writes the files of form data into the spool, one after the other.
 * @throws `invalid_files` if the form cannot be read, `invalid` for a field that is not a file,
 * `too_many_files`, and the errors of the source
 */
export async function spoolParts(
  headers: IncomingHttpHeaders,
  source: AsyncIterable<Uint8Array>,
  spool: Spool,
): Promise<Part[]> {
  const parts: Part[] = [];
  const form = startForm(headers);
  let kept: Promise<void> = Promise.resolve();

  async function keep(name: string, stream: AsyncIterable<Uint8Array>): Promise<void> {
    const from = spool.size;
    for await (const chunk of stream) await spool.append(chunk);
    parts.push({ name, bytes: partOf(spool, from, spool.size - from) });
  }

  const parsed = new Promise<void>((resolve, reject) => {
    form.on('file', (_field, stream, name) => {
      stream.on('error', reject);
      // The names of all parts are kept until the form has been read.
      const problem = lengthProblem(name ?? '');
      if (problem !== null) return reject(unpublishable([{ name: name ?? '', problem }]));
      kept = kept.then(() => keep(name ?? '', stream));
      kept.catch(reject);
    });
    form.on('field', (name) => reject(noFile(name)));
    for (const limit of ['filesLimit', 'partsLimit'] as const)
      form.on(limit, () => reject(tooManyParts(parts)));
    form.on('error', (error) => reject(brokenArchive(error)));
    form.on('finish', resolve);
  });
  try {
    await Promise.all([feed(form, source), parsed]);
  } finally {
    form.destroy();
  }
  await kept;
  return parts;
}

function startForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new busboy.Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      preservePath: true,
      limits: { files: maxParts, parts: maxParts, headerPairs: 20, fieldSize: 1_000 },
    });
  } catch (error) {
    throw brokenArchive(error);
  }
}

async function feed(form: BusboyInstance, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of source) {
    if (form.destroyed) return;
    if (!form.write(chunk)) await drained(form);
  }
  form.end();
}

function noFile(name: string): ServiceError {
  const message = 'is not a file; send all other fields in the query of the address';
  return new ServiceError('invalid', `«${name}» ${message}.`, { issues: [{ path: name, message }] });
}

function tooManyParts(parts: readonly Part[]): ServiceError {
  const files = parts.map(({ name, bytes }) => ({ path: name, size: bytes.size }));
  return new ServiceError('too_many_files', `The form has more than ${maxParts} files.`, {
    files: largestOf(files),
    maxFiles,
  });
}
