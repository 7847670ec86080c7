import { errorResponses } from './openapi-errors.ts';
import type { JsonObject } from './openapi-schema.ts';
import { statusOf } from './operation.ts';

const uploadPath = '/api/v1/hosting/versions/{id}/files/{hash}';
const batchPath = '/api/v1/hosting/uploads';

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

const storedFile: JsonObject = {
  type: 'object',
  properties: {
    sha256: { ...text, description: 'The hash of what was stored.' },
    size: { ...number, description: 'In bytes.' },
  },
  required: ['sha256', 'size'],
};

const errors = errorResponses(
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
);

/**
 * The upload of a file. It is not an operation of the typed client: the caller uses the link as it was given,
 * and builds no part of it.
 */
const uploadDescription: JsonObject = {
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
          schema: storedFile,
        },
      },
    },
    ...errors,
  },
};

/** Several uploads in one request. It is no operation of the typed client for the same reason. */
const batchDescription: JsonObject = {
  operationId: 'uploadFiles',
  summary: 'Upload several small files in one request.',
  description:
    'Upload several small files in one request. The address is `batch.url` of the answer to `createVersion` or `freshUploads`. The body has for each file a line with its `url` from `uploads`, ended by a line feed, and then the bytes of the file, as many as were declared; the next line follows at once. A file may have `batch.maxFileBytes` bytes, and a body any number of files. The links authorize the request: send no authorization header. The first file that is refused ends the request with its error. Other files of the request may be stored then: `freshUploads` names those that are still missing. It is safe to repeat.',
  tags: ['Hosting'],
  security: [],
  requestBody: {
    description: 'For each file a line with its link, and its bytes.',
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    200: {
      description: 'All files are stored.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              files: {
                type: 'array',
                items: storedFile,
                description: 'The files, in the order of the body.',
              },
            },
            required: ['files'],
          },
        },
      },
    },
    ...errors,
  },
};

/** The uploads, by path. */
export const uploadPaths: Readonly<Record<string, JsonObject>> = {
  [uploadPath]: { put: uploadDescription },
  [batchPath]: { post: batchDescription },
};
