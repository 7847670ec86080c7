import type { Schema } from './schema.ts';

/** The shown parts of an operation in the description (OpenAPI 3.1, "Operation Object"). */
export interface Described {
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}
interface Content {
  /** Absent if the body is a file. */
  readonly 'application/json'?: { readonly schema: Schema };
}

/** A parameter as a field, with its description in the schema. */
export interface Given {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

export function givenIn({ parameters = [] }: Described, where: 'path' | 'query'): Given[] {
  return parameters
    .filter((each) => each.in === where)
    .map(({ name, schema, required, description }) => ({
      name,
      required,
      schema: { ...schema, ...(description ? { description } : {}) },
    }));
}

/** Returns the schema of a JSON body; undefined if there is none. */
export function bodyOf({ requestBody }: Described): Schema | undefined {
  return requestBody?.content['application/json']?.schema;
}

/** Returns the JSON schemas of the successful answers. */
export function answersOf({ responses }: Described): { readonly status: string; readonly schema: Schema }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content['application/json']?.schema;
    return Number(status) < 400 && schema ? [{ status, schema }] : [];
  });
}
