import { readFileSync } from 'node:fs';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a file of text. One in another encoding is refused: its letters would be lost, in what is published, and in
 * the file where it is written back.
 * @throws CliError that names the file and the reason
 */
export function readText(file: string, code: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.invalid, code, `${file} cannot be read: ${reason}`);
  }
  return decodeText(bytes, file, code);
}

/**
 * Decodes the bytes of a text, as `readText` does.
 * @param where they come from: a file, or stdin
 * @throws CliError if they are in another encoding
 */
export function decodeText(bytes: Uint8Array, where: string, code: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const message = `${where} cannot be read: it is not in UTF-8. Save it in that encoding.`;
    throw new CliError(exitCodes.invalid, code, message);
  }
}
