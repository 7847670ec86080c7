import type { z } from 'zod';
import { errorResponses, errorSchemas } from './openapi-errors.ts';
import { flattened, type JsonObject as Json, keepComponents } from './openapi-schema.ts';
import { uploadPaths } from './openapi-upload.ts';
import {
  type Credential,
  type Example,
  errorsOf,
  type Operation,
  statusOf,
  usualMaxBodyBytes,
} from './operation.ts';
import { operations } from './operations.ts';
import { scopes } from './scopes.ts';
import { spaceFieldsSchema } from './spaces.ts';
import { claimHeader } from './versions.ts';

const security: Record<Credential, Json[]> = {
  none: [],
  token: [{ apiToken: [] }],
  token_or_none: [{ apiToken: [] }, { claimToken: [] }, {}],
  token_or_claim: [{ apiToken: [] }, { claimToken: [] }],
  claim: [{ claimToken: [] }],
  secret: [{ boardSecret: [] }],
  operator: [{ apiToken: [] }],
  session: [{ session: [] }],
  own_page: [],
  player: [{ session: [] }, { guestKey: [] }, {}],
};

/** The sentence for each credential that says who may call. */
const callers: Record<Credential, string> = {
  none: 'Takes no credential.',
  token: 'Takes an API token{scope}.',
  token_or_none: `Takes an API token{scope}. Without an account: nothing for a new page, or the claim token of one, in \`${claimHeader}\`, for its next version.`,
  token_or_claim: `Takes an API token{scope}, or the claim token of a page without an account, in \`${claimHeader}\`.`,
  claim: `Takes the claim token of a page without an account, in \`${claimHeader}\`.`,
  secret: 'Takes the board secret of a space, which names the space.',
  operator: 'Takes the API token of an operator{scope}.',
  session: 'Takes the session of a browser, and only from the pages of the service.',
  own_page: 'Accepted only from the pages of the service.',
  player:
    'Accepted only from the pages of the service: the session of an account, the key of a guest, or neither.',
};

/** The audiences of the descriptions: creators and players, operators, or the service's own pages. */
export const audiences = ['everyone', 'operators', 'pages'] as const;
export type Audience = (typeof audiences)[number];

/**
 * The path of each description. The first has the operations for programs of creators, games and everyone
 * else.
 */
export const descriptionPaths: Readonly<Record<Audience, string>> = {
  everyone: '/api/openapi.json',
  operators: '/api/openapi/operator.json',
  pages: '/api/openapi/pages.json',
};

const summaries: Readonly<Record<Audience, string>> = {
  everyone: 'List, publish, host and manage spaces: web games and other web apps.',
  operators: 'Operate the service: reviews, reports, states of spaces, accounts, audit.',
  pages:
    'The calls of the service’s own pages: signing in, the account itself, and players. No API token is accepted.',
};

export function audienceOf({ credential }: Pick<Operation, 'credential'>): Audience {
  if (credential === 'operator') return 'operators';
  return credential === 'session' || credential === 'own_page' || credential === 'player'
    ? 'pages'
    : 'everyone';
}

/**
 * Returns the OpenAPI 3.1 description of operations, made from the schemas that validate them.
 * @param audience only the operations of this audience; by default all operations
 */
export function buildOpenApi(audience?: Audience): Json {
  const schemas = new Map<string, Json>(Object.entries(errorSchemas));
  const isForAll = audience === undefined || audience === 'everyone';
  if (isForAll) keepComponents(spaceFieldsSchema, schemas, 'input');
  const paths: Record<string, Json> = {};
  for (const operation of operations as readonly Operation[]) {
    if (audience !== undefined && audienceOf(operation) !== audience) continue;
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, schemas),
    };
  }
  if (isForAll) Object.assign(paths, uploadPaths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spaceport',
      version: '1',
      summary: summaries[audience ?? 'everyone'],
      description:
        'Outside hosting fields are snake_case, and a refusal is `{ error: code, message }`. Under /api/v1/hosting fields are camelCase, and a refusal is `{ error: sentence, code }`. `next` of a refusal says what to do. Times are ISO 8601 in UTC.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this description.' }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1))),
      securitySchemes: {
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: `An API token: sp_token_… Each call names the scope that it needs: ${scopes.join(', ')}.`,
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
            'The session of a browser: `__Host-spaceport_session` on https. Accepted only from our own pages, by Sec-Fetch-Site or Origin.',
        },
        guestKey: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description:
            '«Guest» and a key of 256 random bits in base64url, which the page of a space makes and keeps. Accepted only from our own pages.',
        },
        boardSecret: { type: 'http', scheme: 'bearer', description: "A space's board secret: sp_secret_…" },
      },
    },
  };
}

function describe(operation: Operation, schemas: Map<string, Json>): Json {
  const { id, summary, tag, params, query, body, form, media, answers, example = {} } = operation;
  const { maxBodyBytes = usualMaxBodyBytes } = operation;
  const parameters = [
    ...parametersOf(params, 'path', schemas, example.params),
    ...parametersOf(query, 'query', schemas, example.query),
  ];
  const responses: Json = {};
  for (const [status, schema] of Object.entries(answers)) {
    responses[status] = {
      description: 'Done.',
      content: { 'application/json': { schema: keepComponents(schema, schemas, 'output') } },
    };
  }
  const sent = () => body && flattened(keepComponents(body, schemas, 'input'), schemas);
  const errors = errorResponses(operation.edge, errorsOf(operation), (code) => statusOf(operation, code));
  return {
    operationId: id,
    summary: firstSentence(summary),
    description: descriptionOf(operation),
    tags: [tag],
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            description: operation.streams
              ? 'At most the size limit of a version.'
              : `At most ${maxBodyBytes} bytes.`,
            required: !body.safeParse(undefined).success,
            content: media ? bytesOf(media) : contentOf(sent() ?? {}, form, example),
          },
        }
      : {}),
    responses: { ...responses, ...errors },
  };
}

/** The operation's summary, further details, and who may call it. */
function descriptionOf({ summary, more, credential, scope }: Operation): string {
  const caller = callers[credential].replace(
    '{scope}',
    scope === undefined ? '' : ` of the scope \`${scope}\``,
  );
  return [summary, more, caller].filter((each) => each !== undefined).join(' ');
}

/** The first sentence as a title; the rest is in the description. */
function firstSentence(text: string): string {
  return /^.+?[.:;](?= |$)/u.exec(text)?.[0].replace(/[:;]$/u, '.') ?? text;
}

/** The scope is listed with the token's scheme, where OpenAPI 3.1 has the roles that a call needs. */
function securityOf({ credential, scope }: Operation): Json[] {
  if (scope === undefined) return security[credential];
  return security[credential].map((way) => ('apiToken' in way ? { apiToken: [scope] } : way));
}

function bytesOf(media: readonly string[]): Json {
  const schema = { type: 'string', format: 'binary' };
  // Generators of clients take one named part; the service takes any number of any names.
  const parts = {
    type: 'object',
    properties: {
      file: {
        ...schema,
        description: 'One archive; or one part for each file of the folder, with its path as the file name.',
      },
    },
    required: ['file'],
  };
  return Object.fromEntries(
    media.map((type) => [type, { schema: type.startsWith('multipart/') ? parts : schema }]),
  );
}

function contentOf(schema: Json, form: Operation['form'], { body }: Example): Json {
  return {
    'application/json': { schema, ...(body === undefined ? {} : { example: body }) },
    ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
  };
}

function parametersOf(
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  schemas: Map<string, Json>,
  examples: Example['params' | 'query'] = {},
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
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}
