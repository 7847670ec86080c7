import {
  requiredSpaceFields,
  type SpaceFields,
  type SpaceFieldsPatch,
  type SpacePatch,
} from '@spaceport/contract/spaces';
import { toJson } from '../platform/db/json.ts';
import type { SpacesTable } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { fold } from '../search/words.ts';

/** The columns of `spaces` that hold the listing fields. */
export type FieldColumns = Pick<
  SpacesTable,
  | 'title'
  | 'space_type'
  | 'devices'
  | 'description'
  | 'engine'
  | 'ai_tools'
  | 'models'
  | 'how_made'
  | 'source_url'
  | 'tags'
  | 'search_title'
>;

/**
 * Checks the fields of a new space.
 * @throws `missing_fields`, naming every required field that is missing
 */
export function requireFields(fields: SpaceFieldsPatch | undefined): SpaceFields {
  const missing = requiredSpaceFields.filter((name) => fields?.[name] === undefined);
  if (missing.length > 0) {
    throw new ServiceError('missing_fields', `A new space needs ${missing.join(', ')} in fields.`, {
      fields: missing,
      issues: missing.map((name) => ({ path: `fields.${name}`, message: 'is missing' })),
    });
  }
  return fields as SpaceFields;
}

/** Converts the given fields to columns, and adds the folded title that operators search by. */
export function toColumns(fields: SpaceFieldsPatch | Omit<SpacePatch, 'page'>): Partial<FieldColumns> {
  const { devices, ai_tools, models, tags, ...texts } = fields;
  const columns: Partial<FieldColumns> = { ...texts };
  if (devices) columns.devices = toJson(devices);
  if (ai_tools) columns.ai_tools = toJson(ai_tools);
  if (models) columns.models = toJson(models);
  if (tags) columns.tags = toJson(tags);
  if (texts.title !== undefined) columns.search_title = fold(texts.title);
  return columns;
}
