import {
  alternatives,
  limitsOf,
  nameOf,
  primitiveOf,
  resolved,
  type Schema,
  type Schemas,
} from '../reference/schema.ts';

/** Objects nested deeper than this are only named. */
const maxDepth = 5;

/** The state of writing one page: a named object is written once, and only named afterwards. */
export interface Writing {
  readonly schemas: Schemas;
  readonly written: Set<string>;
}

/** Returns the fields of a body or an answer as lines of a nested list. */
export function fieldLines(schema: Schema, writing: Writing, depth = 0): string[] {
  if (depth > maxDepth) return [];
  const { of } = alternatives(schema);
  if (of.length > 1) {
    const shapes = of.filter((each) => isObject(each, writing));
    if (shapes.length < 2) return shapes.flatMap((each) => fieldLines(each, writing, depth));
    return shapes.flatMap((each, index) => [
      line(depth, index === 0 ? 'either' : 'or'),
      ...fieldLines(each, writing, depth + 1),
    ]);
  }
  const [one = {}] = of;
  const name = nameOf(one);
  if (name !== null && writing.written.has(name)) return [];
  if (name !== null) writing.written.add(name);
  const { properties = {}, required = [], items, additionalProperties } = resolved(one, writing.schemas);
  const names = Object.keys(properties);
  if (names.length > 0)
    return names.flatMap((each) => {
      const field = properties[each] ?? {};
      return [
        line(depth, fieldText(each, field, required.includes(each), writing)),
        ...fieldLines(field, writing, depth + 1),
      ];
    });
  if (items) return fieldLines(items, writing, depth);
  return typeof additionalProperties === 'object' ? fieldLines(additionalProperties, writing, depth) : [];
}

/** Returns one field: its name (with `?` if optional), type, description and limits. */
export function fieldText(name: string, field: Schema, isRequired: boolean, { schemas }: Writing): string {
  const description = field.description ?? resolved(field, schemas).description ?? '';
  const limits = alternatives(field).of.flatMap(limitsOf);
  const bounds = limits.length > 0 ? ` (${limits.join(', ')})` : '';
  return `\`${name}${isRequired ? '' : '?'}\` ${typeText(field)}${bounds}${description && `: ${description}`}`;
}

/** Returns a type in words: `string or null`, `FileEntry[]`, `"asc" or "desc"`. */
export function typeText(schema: Schema): string {
  const { of, nullable } = alternatives(schema);
  return [...of.map(single), ...(nullable ? ['null'] : [])].join(' or ');
}

function single(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' or ');
  const type = primitiveOf(schema);
  if (type === 'array' || schema.items) {
    const of = typeText(schema.items ?? {});
    return of.includes(' ') ? `(${of})[]` : `${of}[]`;
  }
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'uri') return 'address';
  return type ?? 'anything';
}

function isObject(schema: Schema, { schemas }: Writing): boolean {
  const { properties, items } = resolved(schema, schemas);
  return properties !== undefined || items !== undefined;
}

function line(depth: number, text: string): string {
  return `${'  '.repeat(depth)}- ${text}`;
}
