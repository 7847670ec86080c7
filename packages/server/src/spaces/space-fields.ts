import { requiredSpaceFields, type SpaceFields, type SpaceFieldsPatch } from '@spaceport/contract/spaces';
import { ServiceError } from '../platform/errors.ts';

/** The columns of `spaces` that hold the listing fields. */
export interface FieldColumns {
  title: string;
  space_type: string;
  devices: string;
  description: string | null;
  engine: string | null;
  ai_tools: string;
  models: string;
  how_made: string | null;
  source_url: string | null;
}

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

/** Only the fields that were given, as columns. */
export function toColumns(fields: SpaceFieldsPatch): Partial<FieldColumns> {
  const { devices, ai_tools, models, ...texts } = fields;
  const columns: Partial<FieldColumns> = { ...texts };
  if (devices) columns.devices = JSON.stringify(devices);
  if (ai_tools) columns.ai_tools = JSON.stringify(ai_tools);
  if (models) columns.models = JSON.stringify(models);
  return columns;
}
