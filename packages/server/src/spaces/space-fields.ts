import {
  requiredSpaceFields,
  type SpaceFields,
  type SpaceFieldsPatch,
  type SpacePatch,
} from '@spaceport/contract/spaces';
import { toJson } from '../platform/db/json.ts';
import type { SpacesTable } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';

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
  | 'search_title'
  | 'search_description'
>;

/** A new space's fields: throws `missing_fields`, naming every required one that is not there. */
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

/** Only the given fields, as columns, with the text that the gallery's search looks into. */
export function toColumns(fields: SpaceFieldsPatch | Omit<SpacePatch, 'page'>): Partial<FieldColumns> {
  const { devices, ai_tools, models, ...texts } = fields;
  const columns: Partial<FieldColumns> = { ...texts };
  if (devices) columns.devices = toJson(devices);
  if (ai_tools) columns.ai_tools = toJson(ai_tools);
  if (models) columns.models = toJson(models);
  if (texts.title !== undefined) columns.search_title = foldForSearch(texts.title);
  if (texts.description !== undefined) columns.search_description = foldForSearch(texts.description ?? '');
  return columns;
}

/** A text without case, accents and compatibility forms, as people search. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
