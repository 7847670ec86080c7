import type { GivenFile } from '@spaceport/contract/mcp/tool';
import { pack } from 'tar-stream';

/** Packs files into an archive for publishing in one call. The archive is made while it is read. */
export async function* packFiles(files: readonly GivenFile[]): AsyncGenerator<Uint8Array> {
  const tar = pack();
  for (const { path, text, base64 } of files) {
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    tar.entry({ name: path, type: 'file', mode: 0o644 }, bytes);
  }
  tar.finalize();
  // A pack can be iterated as bytes.
  yield* tar as AsyncIterable<Uint8Array>;
}
