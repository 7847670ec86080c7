import { join } from 'node:path';

/** Returns the folder for files that no request or job needs after its end. */
export function temporaryFolder({ DATA_DIR }: { readonly DATA_DIR: string }): string {
  return join(DATA_DIR, 'tmp');
}
