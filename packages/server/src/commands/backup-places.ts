import { CommandError } from '../command-line.ts';
import { backupPlace, withoutCredentials } from '../config-parsers.ts';
import { BackupError } from '../platform/backup/layout.ts';

/**
 * Returns a PLACE as BACKUP_TO names it, so that both are compared.
 * @throws `CommandError` if it is none
 */
export function placeIn(value: string | boolean): string {
  try {
    return backupPlace(String(value));
  } catch (error) {
    throw new CommandError(
      `${withoutCredentials(String(value))} ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** Does the work; a BackupError of it becomes an error that is printed without a stack. */
export async function withoutStack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    throw error;
  }
}
