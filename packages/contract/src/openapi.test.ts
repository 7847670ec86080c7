import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { audienceOf, audiences, buildOpenApi, descriptionPaths } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { parseWith } from './parse.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content: Content }>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const all: readonly Operation[] = operations;
const documents = audiences.map((audience) => ({
  audience,
  // The document was made from our own schemas.
  document: buildOpenApi(audience) as unknown as Description,
}));
const described = documents.flatMap(({ document }) =>
  Object.values(document.paths).flatMap((path) => Object.values(path)),
);

/** The places in a schema with a field that has no description. */
function* undescribed(schema: Schema, at: string, { components }: Description): Generator<string> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const refers = [field, ...(field.anyOf ?? [])].map(({ $ref }) => $ref?.split('/').at(-1));
    const said = [field, ...refers.map((ref) => components.schemas[ref ?? ''])].some(
      (each) => each?.description,
    );
    if (!said) yield `${at}.${name}`;
    yield* undescribed(field, `${at}.${name}`, { components, paths: {} });
  }
  const inner = [schema.items, ...(schema.anyOf ?? []), schema.additionalProperties];
  for (const each of inner)
    if (typeof each === 'object') yield* undescribed(each, at, { components, paths: {} });
}

describe('the OpenAPI descriptions', () => {
  it('have every operation in one of them, and the uploads', () => {
    assert.deepEqual(
      described.map(({ operationId }) => operationId).toSorted(),
      [...all.map(({ id }) => id), 'uploadFile', 'uploadFiles'].toSorted(),
    );
    const [everyone] = documents;
    const put = everyone?.document.paths['/api/v1/hosting/versions/{id}/files/{hash}']?.put;
    assert.equal(put?.operationId, 'uploadFile');
    assert.equal(everyone?.document.paths['/api/v1/hosting/uploads']?.post?.operationId, 'uploadFiles');
  });

  it('keep operators’ operations and those of a browser’s session apart', () => {
    for (const operation of all) {
      const audience = audienceOf(operation);
      if (operation.credential === 'operator') assert.equal(audience, 'operators');
      if (operation.credential === 'session') assert.equal(audience, 'pages');
    }
    assert.equal(descriptionPaths.everyone, '/api/openapi.json');
  });

  it('state for every operation what it does and who may call it', () => {
    for (const { operationId, summary, description } of described) {
      assert.match(summary, /^[A-Z\d].+\.$/su, operationId);
      assert.ok(description.length > summary.length, operationId);
      assert.match(description, /\.$/u, operationId);
    }
  });

  it('state for every field and parameter what it is for', () => {
    const lacking: string[] = [];
    for (const { document } of documents) {
      for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
        const { operationId, parameters = [], requestBody, responses } = operation;
        for (const { name, description } of parameters)
          if (!description) lacking.push(`${operationId} ${name}`);
        for (const [at, part] of Object.entries({ body: requestBody, ...responses }))
          for (const { schema } of Object.values(part?.content ?? {}))
            lacking.push(...undescribed(schema, `${operationId} ${at}`, document));
      }
      for (const [name, schema] of Object.entries(document.components.schemas))
        lacking.push(...undescribed(schema, name, document));
    }
    assert.deepEqual(lacking, []);
  });

  it('say in which header a claim token is sent, wherever one is taken', () => {
    const taking = all
      .filter(({ credential }) => /claim|token_or_none/u.test(credential))
      .map(({ id }) => id);
    assert.ok(taking.includes('publishArchive'));
    for (const { operationId, description, security } of described) {
      const takes = taking.includes(operationId);
      assert.equal(security?.some((one) => 'claimToken' in one) ?? false, takes, operationId);
      if (takes) assert.match(description, /`x-service-claim`/u, operationId);
    }
  });

  it('mean the same schema by a name, in all of them', () => {
    // The reference at /docs/api is made from all operations together.
    assert.doesNotThrow(() => buildOpenApi());
    const byName = new Map<string, Schema>();
    for (const { audience, document } of documents)
      for (const [name, schema] of Object.entries(document.components.schemas)) {
        assert.deepEqual(schema, byName.get(name) ?? schema, `${name} of ${audience}`);
        byName.set(name, schema);
      }
  });

  it('have bodies that are one object each, so that generators make flat arguments of them', () => {
    for (const { operationId, requestBody } of described) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined || schema.$ref !== undefined) continue;
      assert.deepEqual([schema.type, schema.anyOf], ['object', undefined], operationId);
    }
  });

  it('have an example of every body, which its schema accepts', () => {
    for (const { id, body, media, query, example } of all) {
      if (body && !media) assert.ok(example?.body, id);
      if (body && example?.body) assert.equal(parseWith(body, example.body).success, true, id);
      if (query && example?.query) {
        const asked = Object.fromEntries(
          Object.entries(example.query).map(([name, value]) => [
            name,
            String(value).replace('…', 'http://localhost'),
          ]),
        );
        assert.equal(parseWith(query, asked).success, true, id);
      }
    }
  });

  it('are checked in as the contract builds them', () => {
    for (const { audience, document } of documents) {
      const file = { everyone: 'openapi', operators: 'openapi.operator', pages: 'openapi.pages' }[audience];
      const text = readFileSync(new URL(`../${file}.json`, import.meta.url), 'utf8');
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)), 'npm run openapi');
    }
  });
});
