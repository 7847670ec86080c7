import type { VersionDetails } from '@spaceport/client/publish';
import { declarationNames } from '@spaceport/contract/declarations';
import { type SpaceFieldsPatch, spaceFieldNames } from '@spaceport/contract/spaces';

/** The content of service.json. The service validates the values before any file is sent. */
export interface FolderSettings {
  /** The slug of the space that the folder belongs to. */
  readonly space: string | null;
  readonly fields: SpaceFieldsPatch;
  readonly declarations: Omit<VersionDetails, 'space' | 'fields'>;
}

export const noSettings: FolderSettings = { space: null, fields: {}, declarations: {} };

/**
 * Reads service.json.
 * @throws an Error that says what to fix
 */
export function readSettings(bytes: Uint8Array): FolderSettings {
  const value = parse(decode(bytes));
  const known = ['$schema', 'space', ...spaceFieldNames, ...declarationNames];
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `service.json has no field ${unknown.join(', ')}. Known fields: ${known.slice(1).join(', ')}.`,
    );
  }
  const { space } = value;
  if (space !== undefined && typeof space !== 'string')
    throw new Error('service.json: space must be the slug of a space.');
  return {
    space: space ?? null,
    fields: pick<SpaceFieldsPatch>(value, spaceFieldNames),
    declarations: pick<FolderSettings['declarations']>(value, declarationNames),
  };
}

/** Decodes the text, without a mark at its beginning. In another encoding its letters would be lost. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('service.json is not in UTF-8. Save it in that encoding.');
  }
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`service.json is not JSON: ${reason}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('service.json must be an object: { "title": … }.');
  return { ...value };
}

/** Picks fields without validation: the service validates each value by the contract's schema. */
function pick<Picked>(value: Record<string, unknown>, names: readonly string[]): Picked {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) as Picked;
}
