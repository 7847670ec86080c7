/** The parts of the OpenAPI description's JSON Schema (contract/src/openapi.ts) that are shown. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number | null)[];
  readonly const?: string | number | boolean | null;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Returns a schema's name among the components; null for an inline schema. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** Resolves a reference to a named schema. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema);
  return name === null ? schema : (schemas[name] ?? {});
}

/** Returns the alternatives of `anyOf` without null, and whether null is one of them. */
export function alternatives(schema: Schema): { readonly of: readonly Schema[]; readonly nullable: boolean } {
  const all = schema.anyOf ?? [schema];
  const of = all.filter(({ type }) => type !== 'null');
  return {
    of,
    nullable: of.length < all.length || (Array.isArray(schema.type) && schema.type.includes('null')),
  };
}

export function primitiveOf({ type }: Schema): string | null {
  if (typeof type === 'string') return type;
  return type?.find((each) => each !== 'null') ?? null;
}

const unbounded = Number.MAX_SAFE_INTEGER;

/** Returns the limits of a value besides its type, in words. */
export function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < unbounded;
  return [
    range(isBound(minimum) ? minimum : undefined, isBound(maximum) ? maximum : undefined, ''),
    range(minLength === 0 ? undefined : minLength, maxLength, ' characters'),
    range(minItems === 0 ? undefined : minItems, maxItems, ' entries'),
    // A pattern is redundant if there is a format.
    pattern !== undefined && schema.format === undefined && pattern.length < 60 ? `matches ${pattern}` : null,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((limit) => limit !== null);
}

function range(from: number | undefined, to: number | undefined, unit: string): string | null {
  const number = (value: number) => value.toLocaleString('en');
  if (from !== undefined && to !== undefined)
    return from === to ? `${number(from)}${unit}` : `${number(from)} to ${number(to)}${unit}`;
  if (to !== undefined) return `at most ${number(to)}${unit}`;
  return from === undefined ? null : `at least ${number(from)}${unit}`;
}
