import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, pageQuery } from './operators.ts';
import { nextCursor, sha256, text, timestamp } from './primitives.ts';

/** Files that operators have taken down: identified by their bytes, in every space at once. */
const hash = sha256.describe(
  'The SHA-256 of the file: the first 64 digits of the ETag that it is served with.',
);
const body = z.strictObject({
  sha256: hash,
  reason: text(1, 1_000, { lineBreaks: true }).meta({
    description: 'Why: kept in the audit log. The reason for taking down is also mailed to the creators.',
  }),
});
const example = { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };
const answer = z.object({
  sha256: hash,
  taken_down: z.boolean().describe('Whether it is taken down now.'),
});

export const readTakenDown = defineOperation({
  ...common,
  id: 'readTakenDown',
  method: 'GET',
  path: '/api/operator/files',
  summary: 'The files that are taken down, by hash, with the versions that were found to have them.',
  query: z.strictObject({
    ...pageQuery,
    cursor: sha256.optional().describe('`next` of the previous page.'),
  }),
  answers: {
    200: z.object({
      files: z
        .array(
          z.object({
            sha256: hash,
            reason: z.string().describe('Why.'),
            taken_down_at: timestamp.describe('Since when.'),
            versions: z
              .array(
                z.object({
                  space: z.string().describe('The slug of the space.'),
                  version: z.number().int().describe('The number of the version in it.'),
                }),
              )
              .describe('Found by a job shortly after.'),
          }),
        )
        .describe('By hash.'),
      next: nextCursor,
    }),
  },
  errors: [],
});

export const takeDownFile = defineOperation({
  ...common,
  id: 'takeDownFile',
  method: 'POST',
  path: '/api/operator/files',
  summary:
    'Stop serving every version with this file, in every space, and refuse it in new versions. The owners of the spaces are mailed.',
  body,
  example: { body: { ...example, reason: 'A court has forbidden it.' } },
  answers: { 200: answer },
  errors: [],
});

export const giveBackFile = defineOperation({
  ...common,
  id: 'giveBackFile',
  method: 'DELETE',
  path: '/api/operator/files',
  summary: 'Serve the versions with a taken-down file again.',
  body,
  example: { body: { ...example, reason: 'The complaint was withdrawn.' } },
  answers: { 200: answer },
  errors: [],
});
