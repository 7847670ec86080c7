import { join } from 'node:path';
import { StoreUnavailable } from './blobs/blob-store.ts';

/** Returns the folder for files that no request or job needs after its end. */
export function temporaryFolder({ DATA_DIR }: { readonly DATA_DIR: string }): string {
  return join(DATA_DIR, 'tmp');
}

/**
 * Runs calls of the file system for temporary files. Any failure (a full disk, another owner, a link that leads
 * nowhere) is an outage of the machine, and no fault of what is written there.
 * @throws `StoreUnavailable`
 */
export async function onTemporaryDisk<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new StoreUnavailable('the temporary folder does not take or give files', { cause: error });
  }
}
