import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * Runs `write`, which writes a file.
 * @throws CliError that names the file and the reason, if it cannot be written
 */
export function tryWriting(
  path: string,
  write: () => void,
  { code = 'not_written', ...more }: { code?: string; next?: string } = {},
): void {
  try {
    write();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.unexpected, code, `${path} cannot be written: ${reason}`, more);
  }
}
