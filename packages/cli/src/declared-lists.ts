import { resolve } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { openProject } from './project.ts';
import { readInput } from './read-input.ts';
import { decodeText, readText } from './read-text.ts';

/** The code for what cannot be read as the lists. */
const wrongFile = 'invalid_file';

/**
 * Fields that `get` shows but that cannot be written. They are removed, so that a printed list can be put
 * back.
 */
const onlyRead = new Set(['source', 'entries', 'created_at', 'updated_at']);

/**
 * Reads the lists to write, by name: from a JSON file, from stdin for `-`, else from the service.json of the
 * current folder. The whole document may be one list. The service validates the entries.
 * @throws CliError if none of the lists is there
 */
export async function declaredLists<Name extends string>(
  context: Context,
  fileArgument: string | undefined,
  names: readonly [Name, ...Name[]],
): Promise<Partial<Record<Name, object[]>>> {
  const { where, document } = await readDocument(context, fileArgument);
  const holder = Array.isArray(document) && names.length === 1 ? { [names[0]]: document } : document;
  const lists: Partial<Record<Name, object[]>> = {};
  for (const name of names) {
    const list = isObject(holder) ? holder[name] : undefined;
    if (Array.isArray(list)) lists[name] = list.map(writable);
    else if (list !== undefined) throw wrong(`"${name}" of ${where} is not a list.`);
  }
  if (Object.keys(lists).length > 0) return lists;
  throw wrong(`${where} has no ${names.map((name) => `"${name}"`).join(' or ')}.`);
}

async function readDocument(
  context: Context,
  fileArgument: string | undefined,
): Promise<{ where: string; document: unknown }> {
  const { cwd } = context;
  if (fileArgument === undefined) {
    const { file, exists, settings } = openProject(cwd, '.');
    if (exists) return { where: file, document: settings };
    throw new CliError(exitCodes.usage, 'no_file', 'There is no service.json here.', {
      next: 'Name a JSON file, or - to read it from stdin.',
    });
  }
  const where = fileArgument === '-' ? 'stdin' : resolve(cwd, fileArgument);
  const written =
    fileArgument === '-'
      ? decodeText(await readInput(context), where, wrongFile)
      : readText(where, wrongFile);
  try {
    return { where, document: JSON.parse(written.replace(/^\ufeff/u, '')) };
  } catch (error) {
    throw wrong(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function writable(entry: unknown): object {
  // Anything else is sent unchanged; the service says what is wrong with it.
  if (!isObject(entry)) return entry as object;
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !onlyRead.has(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(message: string): CliError {
  return new CliError(exitCodes.invalid, wrongFile, message);
}
