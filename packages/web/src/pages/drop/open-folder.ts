import type { PublishSource } from '@spaceport/client/source';
import { publishedText } from '@spaceport/contract/page-text';
import type { Dropped, LocalFile } from './collect.ts';
import { FileDesk } from './file-desk.ts';
import type { Selection } from './selection.ts';

/** An opened drop: its files are listed and can be read. Close it when it is no longer needed. */
export interface OpenFolder {
  readonly name: string;
  readonly files: readonly LocalFile[];
  /** Returns the beginning of a file; empty if there is no such file. @throws ReadError */
  bytes(file: LocalFile | null): Promise<Uint8Array>;
  /** Returns the same as text, whatever its encoding. @throws ReadError */
  text(file: LocalFile | null): Promise<string>;
  /** Hashes the chosen files, and returns them as a source to publish. @throws ReadError */
  source(
    selection: Selection<LocalFile>,
    onProgress: (done: { files: number; bytes: number }) => void,
  ): Promise<PublishSource>;
  close(): void;
}

/** Most bytes read of a page or a service.json. */
const maxTextBytes = 512 * 1024;

/** @throws ReadError for a file that is not a zip */
export async function openFolder(dropped: Dropped): Promise<OpenFolder> {
  const desk = new FileDesk();
  try {
    const files =
      dropped.kind === 'files'
        ? dropped.files
        : (await desk.openZip(dropped.zip)).map((entry) => ({ ...entry, file: null }));
    return openWith(desk, dropped.name, files);
  } catch (error) {
    desk.close();
    throw error;
  }
}

function openWith(desk: FileDesk, name: string, files: readonly LocalFile[]): OpenFolder {
  const blobOf = async ({ path, file }: LocalFile): Promise<Blob> => file ?? desk.readFromZip(path);
  const startOf = async (file: LocalFile | null): Promise<Blob> =>
    file === null ? new Blob() : (await blobOf(file)).slice(0, maxTextBytes);
  return {
    name,
    files,
    bytes: async (file) => new Uint8Array(await (await startOf(file)).arrayBuffer()),
    text: async (file) => publishedText(new Uint8Array(await (await startOf(file)).arrayBuffer())),
    async source(selection, onProgress) {
      const hashes = new Map<string, string>();
      let bytes = 0;
      await desk.hash(
        selection.files.map(({ from }) => ({ path: from.path, file: from.file })),
        (news) => {
          bytes += news.bytes;
          for (const [path, sha256] of news.hashes) hashes.set(path, sha256);
          onProgress({ files: hashes.size, bytes });
        },
      );
      return {
        files: selection.files.map(({ path, from }) => {
          const sha256 = hashes.get(from.path);
          if (sha256 === undefined) throw new Error(`${path} was not hashed`);
          return { path, size: from.size, sha256, open: () => blobOf(from) };
        }),
      };
    },
    close: () => desk.close(),
  };
}
