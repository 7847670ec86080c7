import type { Writable } from 'node:stream';
import { ByteReader } from './byte-reader.ts';
import { compressor } from './codings.ts';
import { framed, readRequestHead, requestHeadBytes } from './pack-frames.ts';
import { release } from './release.ts';

/**
 * The program of the process that compresses files, one after another. `pack-frames.ts` describes its stdin and
 * stdout. It ends when its stdin ends, so it cannot outlive its parent.
 */
const requests = new ByteReader(process.stdin);
void answerAll();

async function answerAll(): Promise<void> {
  for (;;) {
    const head = await requests.piece(requestHeadBytes);
    if (head === null) break;
    const { coding, sizeBytes } = readRequestHead(head);
    const packer = compressor(coding, sizeBytes);
    const answered = answer(packer);
    for await (const chunk of requests.next(sizeBytes)) {
      await taken(packer, chunk);
      release([chunk]);
    }
    packer.end();
    await answered;
  }
}

async function answer(form: AsyncIterable<Buffer>): Promise<void> {
  // Writing to a pipe waits until it has room.
  for await (const chunk of form) process.stdout.write(framed(chunk));
  process.stdout.write(framed(Buffer.alloc(0)));
}

function taken(packer: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    packer.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
