import { type ErrorCode, errorTable } from './errors.ts';
import type { JsonObject } from './openapi-schema.ts';
import type { Edge } from './operation.ts';

const sentence = { type: 'string', description: 'What is wrong, in a sentence.' };
const code = { $ref: '#/components/schemas/ErrorCode', description: 'The code, for programs.' };
const helping = {
  next: {
    type: 'string',
    description: 'What helps: one sentence with an address or a command. Not every refusal has one.',
  },
  issues: {
    type: 'array',
    description: 'Where fields are wrong: which, what was expected and what came.',
    items: { $ref: '#/components/schemas/Issue' },
  },
};

/**
 * The schemas of error bodies, which every document has as components. Some codes add fields of their own.
 */
export const errorSchemas: Readonly<Record<string, JsonObject>> = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(errorTable),
    description: Object.entries(errorTable)
      .map(([name, { meaning }]) => `\`${name}\`: ${meaning}`)
      .join('\n'),
  },
  Issue: {
    type: 'object',
    description: 'One field that is wrong.',
    properties: {
      path: { type: 'string', description: 'Where it is: `boards.0.sort`; empty for the whole body.' },
      message: {
        type: 'string',
        description: 'What was expected and what came, as it follows the name of the field.',
      },
    },
    required: ['path', 'message'],
  },
  Refusal: {
    type: 'object',
    description: 'A refusal, outside hosting.',
    properties: { error: code, message: sentence, ...helping },
    required: ['error', 'message'],
  },
  HostingRefusal: {
    type: 'object',
    description: 'A refusal, under /api/v1/hosting.',
    properties: { error: sentence, code, ...helping },
    required: ['error', 'code'],
  },
};

/** The responses for the error codes of an operation, by status. */
export function errorResponses(
  edge: Edge,
  codes: readonly ErrorCode[],
  statusOf: (code: ErrorCode) => number,
): JsonObject {
  const statuses = [...new Set(codes.map(statusOf))].sort((left, right) => left - right);
  const $ref = `#/components/schemas/${edge === 'hosting' ? 'HostingRefusal' : 'Refusal'}`;
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => statusOf(code) === status)
          .map((each) => `\`${each}\``)
          .join(', '),
        content: { 'application/json': { schema: { $ref } } },
      },
    ]),
  );
}
