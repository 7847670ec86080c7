import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** The parts of Zod's JSON Schema that are used here. */
interface Schema extends JsonObject {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** Returns the JSON Schema of a part. Named schemas are added to the components and referenced. */
export function keepComponents(
  schema: z.ZodType,
  components: Map<string, JsonObject>,
  io: 'input' | 'output',
): JsonObject {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonObject & {
    $defs?: Record<string, JsonObject>;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { $schema: __, ...rest } = definition;
    keep(components, name, tidied(rest));
  }
  const pointed = tidied(json);
  // Zod returns a named schema as a reference to its definition, which is a component already.
  if ('$ref' in pointed) return pointed;
  const id = (pointed as { id?: string }).id ?? (schema.meta()?.id as string | undefined);
  if (id === undefined) return pointed;
  keep(components, id, pointed);
  return { $ref: `#/components/schemas/${id}` };
}

/** Adds a named schema. @throws an error if another one has its name: references to either would be wrong */
function keep(components: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  const known = components.get(name) ?? schema;
  if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}`);
  components.set(name, schema);
}

/**
 * Rewrites references to point at the components. The description of a nullable value applies to the whole.
 */
function tidied(json: JsonObject): JsonObject {
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (_key, value: Schema) => {
    if (!Array.isArray(value?.anyOf) || value.description !== undefined) return value;
    const [said, ...others] = value.anyOf.filter(({ type }) => type !== 'null');
    if (said?.description === undefined || others.length > 0) return value;
    const { description, ...rest } = said;
    return { anyOf: value.anyOf.map((each) => (each === said ? rest : each)), ...value, description };
  });
}

/**
 * Turns a union of shapes into one object with the fields of all of them, from which client generators make
 * flat arguments. The descriptions say which fields go together, and the service refuses other combinations.
 */
export function flattened(schema: JsonObject, components: ReadonlyMap<string, JsonObject>): JsonObject {
  const { anyOf, ...rest } = schema as Schema;
  const shapes = anyOf?.map((each) => resolve(each, components));
  if (!shapes?.every(({ properties }) => properties !== undefined)) return schema;
  const properties = Object.assign({}, ...shapes.map((shape) => shape.properties));
  const required = Object.keys(properties).filter((name) =>
    shapes.every((shape) => shape.required?.includes(name)),
  );
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function resolve(schema: Schema, components: ReadonlyMap<string, JsonObject>): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : ((components.get(name) ?? {}) as Schema);
}
