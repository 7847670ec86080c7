import { declarationNames } from '@spaceport/contract/declarations';
import { guessFields } from '@spaceport/contract/guess-fields';
import { createVersion } from '@spaceport/contract/hosting';
import type { publishArchive } from '@spaceport/contract/one-call';
import type { BodyOf, QueryOf } from '@spaceport/contract/operation';
import { parseWith, shortened } from '@spaceport/contract/parse';
import { spaceFieldNames } from '@spaceport/contract/spaces';
import { ServiceError } from '../platform/errors.ts';
import { JsonError, parseJsonBody } from '../platform/http/json.ts';
import { refused } from '../platform/http/parse-part.ts';
import type { Scan } from './scan.ts';

export type PublishQuery = QueryOf<typeof publishArchive>;
type Settings = Readonly<Record<string, unknown>>;

/** The file with settings for this and other publishes. */
const settingsName = 'service.json';
const knownNames: ReadonlySet<string> = new Set([
  '$schema',
  'space',
  ...spaceFieldNames,
  ...declarationNames,
]);

/** Returns the slug in service.json. */
export function spaceOf(settings: Settings): string | undefined {
  return typeof settings.space === 'string' ? settings.space : undefined;
}

/**
 * Returns the archive's service.json; empty if there is none.
 * @throws `invalid_declaration`
 */
export function readSettings({ texts }: Scan): Settings {
  const text = texts.get(settingsName);
  if (text === undefined) return {};
  const settings = parseSettings(text.replace(/^\ufeff/u, ''));
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw wrongSettings('must be an object');
  const unknown = Object.keys(settings).find((name) => !knownNames.has(name));
  if (unknown !== undefined) throw wrongSettings(`has «${unknown.slice(0, 40)}», which it does not know`);
  const { space } = settings as Settings;
  if (space !== undefined && typeof space !== 'string')
    throw wrongSettings('has a «space» that is not the slug of one');
  return settings as Settings;
}

/** Parses by the rules of bodies: what it says is stored like theirs. */
function parseSettings(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const odd = error instanceof JsonError ? error.odd : null;
    if (odd) throw wrongSettings(`has a value at «${odd.path.map(shortened).join('.')}» that ${odd.message}`);
    throw wrongSettings(error instanceof JsonError ? 'is not JSON' : 'has too many values');
  }
}

/**
 * Makes the body of a create from an archive: its files and its service.json, with the query taking
 * precedence. Fields of a new space that are given nowhere are guessed.
 * @throws the errors of a create for a wrong body
 */
export function createBodyOf(
  scan: Scan,
  settings: Settings,
  query: PublishQuery,
  space: { readonly slug: string | undefined; readonly isNew: boolean },
): BodyOf<typeof createVersion> {
  const { title, type, devices, tags, entry, spa } = query;
  const fields = {
    ...(space.isNew ? guessed(scan, entry ?? settings.entry) : {}),
    ...picked(settings, spaceFieldNames),
    ...(title !== undefined && { title }),
    ...(type !== undefined && { space_type: type }),
    ...(devices !== undefined && { devices: listIn(devices) }),
    ...(tags !== undefined && { tags: listIn(tags) }),
  };
  const body = {
    ...(space.slug !== undefined && { space: space.slug }),
    ...(Object.keys(fields).length > 0 && { fields }),
    files: scan.files,
    ...picked(settings, declarationNames),
    ...(entry !== undefined && { entry }),
    ...(spa !== undefined && { spa }),
  };
  const parsed = parseWith(createVersion.body, body);
  if (parsed.success) return parsed.data;
  throw refused(createVersion, parsed.problems, 'body', body);
}

/** @param entry the page that opens, as it was said: its name tells more than the folder's */
function guessed({ texts, folder }: Scan, entry: unknown) {
  const { title, devices } = guessFields({
    page: texts.get('index.html') ?? '',
    entry: typeof entry === 'string' ? entry : undefined,
    manifest: texts.get('package.json') ?? '',
    name: folder,
  });
  return { title, devices, space_type: 'game' };
}

function picked(settings: Settings, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(settings, name) ? [[name, settings[name]]] : [])),
  );
}

function listIn(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wrongSettings(message: string): ServiceError {
  return new ServiceError('invalid_declaration', `${settingsName} ${message}.`, {
    issues: [{ path: settingsName, message }],
  });
}
