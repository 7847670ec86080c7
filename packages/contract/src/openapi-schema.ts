import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** JSON Schema as Zod writes it, as far as it is looked at here. */
interface Schema extends JsonObject {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** The JSON Schema of a part; named schemas go to the components and are referred to. */
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
    components.set(name, tidied(rest));
  }
  const pointed = tidied(json);
  // A named schema comes as a reference to its own definition, which is kept already.
  if ('$ref' in pointed) return pointed;
  const id = (pointed as { id?: string }).id ?? (schema.meta()?.id as string | undefined);
  if (id === undefined) return pointed;
  components.set(id, pointed);
  return { $ref: `#/components/schemas/${id}` };
}

/** With references to the components; what is said of a value that may be null as well is said of both. */
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
 * A body that has one of several shapes, as one object with the fields of all of them: generators of clients make flat arguments
 * of it. Which fields go together is said in words, and the service says it of a call that is wrong.
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
