import { z } from 'zod';
import { type ErrorCode, errorTable } from './errors.ts';
import { type Credential, errorsOf, type Operation, statusOf, usualMaxBodyBytes } from './operation.ts';
import { operations } from './operations.ts';
import { scopes } from './scopes.ts';
import { spaceFieldsSchema } from './spaces.ts';
import { claimHeader } from './versions.ts';

type Json = Record<string, unknown>;

const security: Record<Credential, Json[]> = {
  none: [],
  token: [{ apiToken: [] }],
  token_or_none: [{ apiToken: [] }, {}],
  token_or_claim: [{ apiToken: [] }, { claimToken: [] }],
  claim: [{ claimToken: [] }],
  secret: [{ boardSecret: [] }],
  operator: [{ apiToken: [] }],
  session: [{ session: [] }],
  own_page: [],
  player: [{ session: [] }, { guestKey: [] }, {}],
};

/** The OpenAPI 3.1 description of every operation, out of the schemas that validate it. */
export function buildOpenApi(): Json {
  const schemas = new Map<string, Json>();
  keepComponents(spaceFieldsSchema, schemas, 'input');
  const paths: Record<string, Json> = {};
  for (const operation of operations as readonly Operation[]) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spaceport',
      version: '1',
      summary: 'List, publish, host and manage spaces: web games and other web apps.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1))),
      securitySchemes: {
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: `An API token: sp_token_… A call asks for the scope that stands beside it: ${scopes.join(', ')}.`,
        },
        claimToken: {
          type: 'apiKey',
          in: 'header',
          name: claimHeader,
          description: 'The claim token of an unlisted publish.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'spaceport_session',
          description:
            'The session of a browser: `__Host-spaceport_session` on https. Taken from our own pages alone, by Sec-Fetch-Site or Origin.',
        },
        guestKey: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description:
            '«Guest» and a key of 256 random bits in base64url, which the page of a space makes and keeps. From our own pages alone.',
        },
        boardSecret: { type: 'http', scheme: 'bearer', description: "A space's board secret: sp_secret_…" },
      },
    },
  };
}

function describe(operation: Operation, schemas: Map<string, Json>): Json {
  const { id, summary, tag, params, query, body, form, media, answers } = operation;
  const { maxBodyBytes = usualMaxBodyBytes } = operation;
  const parameters = [...parametersOf(params, 'path', schemas), ...parametersOf(query, 'query', schemas)];
  const responses: Json = {};
  for (const [status, schema] of Object.entries(answers)) {
    responses[status] = {
      description: 'Done.',
      content: { 'application/json': { schema: keepComponents(schema, schemas, 'output') } },
    };
  }
  return {
    operationId: id,
    summary,
    tags: [tag],
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            description: operation.streams
              ? 'As long as a version may be.'
              : `At most ${maxBodyBytes} bytes.`,
            required: !body.safeParse(undefined).success,
            content: media ? bytesOf(media) : contentOf(keepComponents(body, schemas, 'input'), form),
          },
        }
      : {}),
    responses: { ...responses, ...errorResponses(operation) },
  };
}

/** The scope stands beside the token's scheme, where OpenAPI 3.1 has the roles that a call asks for. */
function securityOf({ credential, scope }: Operation): Json[] {
  if (scope === undefined) return security[credential];
  return security[credential].map((way) => ('apiToken' in way ? { apiToken: [scope] } : way));
}

function bytesOf(media: readonly string[]): Json {
  const schema = { type: 'string', format: 'binary' };
  const parts = {
    type: 'object',
    description: 'One archive, or files with their paths as file names, under any names.',
    additionalProperties: { type: 'array', items: schema },
  };
  return Object.fromEntries(
    media.map((type) => [type, { schema: type.startsWith('multipart/') ? parts : schema }]),
  );
}

function contentOf(schema: Json, form: Operation['form']): Json {
  return {
    'application/json': { schema },
    ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
  };
}

function parametersOf(
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  schemas: Map<string, Json>,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = keepComponents(schema, schemas, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: property,
  }));
}

const nextField = {
  type: 'string',
  description: 'What helps: one sentence with an address or a command. Not every refusal has one.',
};
const issuesField = {
  type: 'array',
  description: 'What is wrong, by field: what was expected and what came.',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'message'],
  },
};
const withIssues: ReadonlySet<ErrorCode> = new Set([
  'invalid',
  'invalid_request',
  'missing_fields',
  'invalid_fields',
  'invalid_files',
  'invalid_declaration',
]);

/** Every code the operation can answer with, grouped by status. */
function errorResponses(operation: Operation): Json {
  const { edge } = operation;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const status = statusOf(operation, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const codeField = edge === 'hosting' ? 'code' : 'error';
  const responses: Json = {};
  for (const [status, codes] of [...byStatus].sort(([left], [right]) => left - right)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n'),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              error: edge === 'hosting' ? { type: 'string', description: 'A sentence.' } : { enum: codes },
              ...(edge === 'hosting' ? { code: { enum: codes } } : { message: { type: 'string' } }),
              ...(status < 500 ? { next: nextField } : {}),
              ...(codes.some((code) => withIssues.has(code)) ? { issues: issuesField } : {}),
            },
            required: ['error', codeField].filter((name, index, list) => list.indexOf(name) === index),
          },
        },
      },
    };
  }
  return responses;
}

/** The JSON Schema of a part; named schemas go to the components and are referred to. */
function keepComponents(schema: z.ZodType, schemas: Map<string, Json>, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json & {
    $defs?: Record<string, Json>;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { $schema: __, ...rest } = definition;
    schemas.set(name, JSON.parse(pointAtComponents(JSON.stringify(rest))) as Json);
  }
  const pointed = JSON.parse(pointAtComponents(JSON.stringify(json))) as Json;
  // A named schema comes as a reference to its own definition, which is kept already.
  if ('$ref' in pointed) return pointed;
  const id = (pointed as { id?: string }).id ?? (schema.meta()?.id as string | undefined);
  if (id === undefined) return pointed;
  schemas.set(id, pointed);
  return { $ref: `#/components/schemas/${id}` };
}

function pointAtComponents(text: string): string {
  return text.replaceAll('"#/$defs/', '"#/components/schemas/');
}
