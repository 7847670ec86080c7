import { leftOutReason } from '@spaceport/contract/left-out';
import { maxFiles } from '@spaceport/contract/versions';
import type { DroppedFile } from './selection.ts';

/** The dropped or chosen files, before any of them is read. */
export type Dropped =
  | { readonly kind: 'zip'; readonly name: string; readonly zip: File }
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly LocalFile[] };

export interface LocalFile extends DroppedFile {
  /** Null for a folder that is left out and not walked. */
  readonly file: File | null;
}

/** The drop cannot be published. The message says why, and what to drop instead. */
export class DropError extends Error {}

/** A folder with more files than this is no build output, and is not walked to its end. */
const enoughFiles = maxFiles * 5;

/**
 * Reads a drop: one folder, one zip, or files. Call it during the event, because the data is gone afterwards.
 */
export function collectDrop(transfer: DataTransfer): Promise<Dropped> {
  const entries: FileSystemEntry[] = [];
  const loose: File[] = [];
  for (const item of transfer.items) {
    const entry = item.webkitGetAsEntry();
    // A file dragged out of another program may have no entry in a file system.
    const file = entry === null ? item.getAsFile() : null;
    if (entry) entries.push(entry);
    else if (file) loose.push(file);
  }
  return entries.length > 0 ? fromEntries(entries) : Promise.resolve().then(() => collectFiles(loose));
}

/** Reads files, such as those of an `<input type="file">`: a folder (`webkitdirectory`), or a zip. */
export function collectFiles(files: readonly File[]): Dropped {
  const only = files.length === 1 ? files[0] : undefined;
  if (only && isZip(only.name) && only.webkitRelativePath === '') return zipOf(only);
  if (files.length === 0) throw nothingThere();
  const local = files.map((file) => ({ path: file.webkitRelativePath || file.name, size: file.size, file }));
  return { kind: 'files', name: local[0]?.path.split('/')[0] ?? '', files: local };
}

async function fromEntries(entries: readonly FileSystemEntry[]): Promise<Dropped> {
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only && isFile(only) && isZip(only.name)) return zipOf(await fileOf(only));
  const files: LocalFile[] = [];
  for (const entry of entries) await walk(entry, files);
  if (files.length === 0) throw nothingThere();
  return { kind: 'files', name: only?.name ?? 'dropped files', files };
}

function zipOf(zip: File): Dropped {
  return { kind: 'zip', name: zip.name, zip };
}

async function walk(entry: FileSystemEntry, into: LocalFile[]): Promise<void> {
  if (into.length >= enoughFiles) return;
  const path = entry.fullPath.replace(/^\//u, '');
  if (isFile(entry)) {
    const file = await fileOf(entry);
    into.push({ path, size: file.size, file });
    return;
  }
  // A trailing slash marks a folder that is listed without its files.
  if (leftOutReason(entry.name) !== null) {
    into.push({ path: `${path}/`, size: 0, file: null });
    return;
  }
  await Promise.all((await childrenOf(entry)).map((child) => walk(child, into)));
}

/** Returns all children. Browsers return a hundred at a time. */
async function childrenOf(entry: FileSystemEntry): Promise<FileSystemEntry[]> {
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, (cause) => reject(unreadable(entry, cause))),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, (cause) => reject(unreadable(entry, cause))));
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isZip = (name: string) => /\.zip$/iu.test(name);

function unreadable({ fullPath }: FileSystemEntry, cause: unknown): DropError {
  return new DropError(
    `${fullPath.slice(1)} cannot be read. Check that it still exists and is not locked, then drop the folder again.`,
    { cause },
  );
}

function nothingThere(): DropError {
  return new DropError('This folder has no files. Drop the folder that has index.html, or a zip of it.');
}
