import type { Schema } from './schema.ts';

/** One operation of the description (OpenAPI 3.1, "Operation Object"), as far as it is shown. */
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
  /** Absent where the body is a file. */
  readonly 'application/json'?: { readonly schema: Schema };
}

/** A parameter as a field: what it is for is said with its schema. */
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

/** The JSON that is sent; undefined where none is. */
export function bodyOf({ requestBody }: Described): Schema | undefined {
  return requestBody?.content['application/json']?.schema;
}

/** The JSON that is answered where nothing is refused. */
export function answersOf({ responses }: Described): { readonly status: string; readonly schema: Schema }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content['application/json']?.schema;
    return Number(status) < 400 && schema ? [{ status, schema }] : [];
  });
}
