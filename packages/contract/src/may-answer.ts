import type { z } from 'zod';
import type { Operation } from './operation.ts';

/**
 * Returns whether a value can be an answer of the operation: some answer of another server is JSON as well. Only its
 * outline is compared, because an older or newer service has fewer or more fields and words.
 */
export function mayAnswer({ answers }: Operation, value: unknown): boolean {
  return Object.values(answers).some((schema) => fits(schema, value));
}

function fits(schema: z.core.$ZodType, value: unknown): boolean {
  // Every schema that Zod makes is one of these; only the type of the base class does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isRecord(value) && hasFields(def.shape, value);
    case 'array':
      return Array.isArray(value);
    case 'union':
      return def.options.some((option) => fits(option, value));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return fits(def.innerType, value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value !== 'object';
    default:
      return true;
  }
}

/** Some of the fields are there, if it has to have any, and none of these is of another kind. */
function hasFields(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: Record<string, unknown>,
): boolean {
  const fields = Object.entries(shape);
  const known = fields.filter(([name]) => Object.hasOwn(value, name));
  if (known.length === 0) return fields.every(([, schema]) => schema._zod.optout === 'optional');
  return known.every(([name, schema]) => value[name] === null || fits(schema, value[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
