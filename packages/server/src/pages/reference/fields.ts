import { type Html, html } from '../html.ts';
import {
  alternatives,
  limitsOf,
  nameOf,
  primitiveOf,
  resolved,
  type Schema,
  type Schemas,
} from './schema.ts';

/** Objects nested deeper than this are only named. */
const maxDepth = 4;

/** The context in which fields are shown. */
export interface Reading {
  readonly schemas: Schemas;
  /**
   * Whether the fields are a request's, where required ones are marked, or an answer's, where optional ones
   * are.
   */
  readonly isSent: boolean;
}

/** Returns the fields of a body, an answer or a named schema, a line each, with nested fields below. */
export function fieldList(schema: Schema, reading: Reading, depth = 0): Html | null {
  const { of } = alternatives(schema);
  if (of.length > 1) {
    return html`<p class="quiet small">One of:</p><ul class="fields-or">${of.map((each) => html`<li>${typeOf(each)}${inner(each, reading, depth)}</li>`)}</ul>`;
  }
  const {
    properties = {},
    required = [],
    items,
    additionalProperties,
  } = resolved(of[0] ?? schema, reading.schemas);
  const names = Object.keys(properties);
  if (names.length > 0)
    return html`<dl class="fields">${Object.entries(properties).map(([name, field]) =>
      fieldOf(name, field, required.includes(name), reading, depth),
    )}</dl>`;
  if (items) return html`<p class="small">${typeOf(schema)}</p>${inner(items, reading, depth)}`;
  if (typeof additionalProperties === 'object') return inner(additionalProperties, reading, depth);
  return depth === 0 ? html`<p class="small">${typeOf(schema)}</p>` : null;
}

/** Returns one field, parameter or entry. */
export function fieldOf(name: string, field: Schema, isRequired: boolean, reading: Reading, depth = 0): Html {
  const description = field.description ?? resolved(field, reading.schemas).description;
  const limits = alternatives(field).of.flatMap(limitsOf);
  return html`<div><dt><code>${name}</code> <span class="field-type">${typeOf(field)}</span>${isRequired === reading.isSent && html` <span class="field-required">${isRequired ? 'required' : 'may be absent'}</span>`}</dt>
<dd>${description && html`<p>${marked(description)}</p>`}${limits.length > 0 && html`<p class="quiet">${limits.join(', ')}</p>`}${inner(field, reading, depth)}</dd></div>`;
}

/** Returns the nested fields of a field. A named object is shown in its own section. */
function inner(field: Schema, reading: Reading, depth: number): Html | null {
  if (depth >= maxDepth) return null;
  const written = alternatives(field).of.flatMap((each) => {
    const value = each.items ?? each;
    return nameOf(value) === null && (value.properties || value.anyOf || value.items) ? [value] : [];
  });
  return written.length === 0 ? null : html`${written.map((each) => fieldList(each, reading, depth + 1))}`;
}

/** Returns a type in words: `string or null`, `array of FileEntry`, `"asc" or "desc"`. */
function typeOf(schema: Schema): Html {
  const { of, nullable } = alternatives(schema);
  const names = [...of.map(single), ...(nullable ? [html`null`] : [])];
  return html`${names.map((name, index) => (index === 0 ? name : html` or ${name}`))}`;
}

function single(schema: Schema): Html {
  const name = nameOf(schema);
  if (name !== null && !isNamed(name)) return html`any JSON`;
  if (name !== null) return html`<a href="#${schemaId(name)}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return html`${schema.enum.map((each, index) => html`${index > 0 && ' or '}<code>${JSON.stringify(each)}</code>`)}`;
  const type = primitiveOf(schema);
  if (type === 'array' || schema.items) return html`array of ${typeOf(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return html`object of ${typeOf(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return html`time`;
  if (schema.format === 'uri') return html`address`;
  return html`${type ?? 'anything'}`;
}

/** Returns whether a schema has a real name. The only generated name is of recursive JSON. */
export function isNamed(name: string): boolean {
  return !name.startsWith('__');
}

export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** Returns text in which backquotes become code elements. */
export function marked(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
