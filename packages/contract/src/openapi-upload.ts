import { errorResponses } from './openapi-errors.ts';
import type { JsonObject } from './openapi-schema.ts';
import { statusOf } from './operation.ts';

export const uploadPath = '/api/v1/hosting/versions/{id}/files/{hash}';

const text = { type: 'string' };
const number = { type: 'integer' };
const parameter = (
  name: string,
  where: 'path' | 'query',
  description: string,
  schema: JsonObject = text,
) => ({
  name,
  in: where,
  required: true,
  description,
  schema,
});

/**
 * The upload of a file. It is not an operation of the typed client: the caller uses the link as it was given,
 * and builds no part of it.
 */
export const uploadDescription: JsonObject = {
  operationId: 'uploadFile',
  summary: 'Upload one file to its link.',
  description:
    'Upload one file to its link. `createVersion` and `freshUploads` give the whole address, with every parameter of it, in `url` of an entry of `uploads`: use it as it is. The link authorizes the request: send no authorization header. The body is the bytes of the file, as many as were declared. It is safe to repeat.',
  tags: ['Hosting'],
  security: [],
  parameters: [
    parameter('id', 'path', 'The id of the version.'),
    parameter('hash', 'path', 'The SHA-256 of the file, in 64 lower-case hex digits.'),
    parameter('size', 'query', 'How many bytes the file has.', number),
    parameter('expires', 'query', 'When the link ends, in seconds since 1970.', number),
    parameter('signature', 'query', 'The signature of the link.'),
  ],
  requestBody: {
    description: 'The bytes of the file.',
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    200: {
      description: 'The file is stored.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              sha256: { ...text, description: 'The hash of what was stored.' },
              size: { ...number, description: 'In bytes.' },
            },
            required: ['sha256', 'size'],
          },
        },
      },
    },
    ...errorResponses(
      'hosting',
      [
        'link_expired',
        'invalid_files',
        'too_large',
        'rate_limited',
        'failed',
        'hosting_unavailable',
        'server_error',
      ],
      (code) => statusOf({}, code),
    ),
  },
};
