import { declarationNames } from '@spaceport/contract/declarations';
import { guessFields } from '@spaceport/contract/guess-fields';
import { createVersion } from '@spaceport/contract/hosting';
import type { publishArchive } from '@spaceport/contract/one-call';
import type { BodyOf, QueryOf } from '@spaceport/contract/operation';
import { parseWith } from '@spaceport/contract/parse';
import { spaceFieldNames } from '@spaceport/contract/spaces';
import { ServiceError } from '../platform/errors.ts';
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
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\ufeff/u, ''));
  } catch {
    throw wrongSettings('is not JSON');
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw wrongSettings('must be an object');
  const unknown = Object.keys(settings).find((name) => !knownNames.has(name));
  if (unknown !== undefined) throw wrongSettings(`has «${unknown.slice(0, 40)}», which it does not know`);
  return settings as Settings;
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
    ...(space.isNew ? guessed(scan) : {}),
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

function guessed({ texts, folder }: Scan) {
  const { title, devices } = guessFields({
    page: texts.get('index.html') ?? '',
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
