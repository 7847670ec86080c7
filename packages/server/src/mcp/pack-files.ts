import type { GivenFile } from '@spaceport/contract/mcp/tool';
import { pack } from 'tar-stream';

/** Files as the archive that publishing in one call takes, made as it is read. */
export async function* packFiles(files: readonly GivenFile[]): AsyncGenerator<Uint8Array> {
  const tar = pack();
  for (const { path, text, base64 } of files) {
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    tar.entry({ name: path, type: 'file', mode: 0o644 }, bytes);
  }
  tar.finalize();
  // A pack is read as the bytes of an archive.
  yield* tar as AsyncIterable<Uint8Array>;
}
