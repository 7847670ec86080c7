import { z } from 'zod';
import { spaceParams, versionParams } from './hosting.ts';
import { defineOperation } from './operation.ts';
import { givenVersion, timestamp, yes } from './primitives.ts';
import { previewPage, versionListEntry, versionNumber } from './versions.ts';

export const listVersions = defineOperation({
  id: 'listVersions',
  method: 'GET',
  path: '/api/v1/hosting/spaces/{slug}/versions',
  summary: 'The last 100 versions of a space, newest first.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  edge: 'hosting',
  params: spaceParams,
  answers: { 200: z.object({ versions: z.array(versionListEntry).describe('Newest first.') }) },
  errors: ['not_found', 'not_owner'],
});

export const rollback = defineOperation({
  id: 'rollback',
  method: 'POST',
  path: '/api/v1/hosting/spaces/{slug}/rollback',
  summary: 'Make a version live again that was live before.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  edge: 'hosting',
  params: spaceParams,
  body: z.strictObject({
    version: givenVersion.meta({ description: 'The number of the version.' }),
  }),
  example: { body: { version: 1 } },
  more: '`listVersions` says for which versions this works. Nothing is uploaded or checked again.',
  answers: {
    200: z.object({
      version: z.object({ number: versionNumber }).describe('The version that is live now.'),
      status: z.literal('live').describe('Always `live`.'),
      pageUrl: z.string().describe('The page of the space.'),
    }),
  },
  errors: ['forbidden', 'not_found', 'not_owner', 'not_allowed', 'held', 'removed'],
});

export const newPreview = defineOperation({
  id: 'newPreview',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/preview',
  summary: 'A new preview link, valid 24 hours.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: {
    200: z.object({
      previewUrl: z.string().describe('Where this version runs, for everyone with the link.'),
      previewPageUrl: previewPage,
      expiresAt: timestamp.describe('When both links end.'),
    }),
  },
  errors: ['forbidden', 'not_found', 'not_previewable', 'space_unavailable', 'rate_limited'],
});

export const requestReview = defineOperation({
  id: 'requestReview',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/review',
  summary: 'Ask a person to review a refused or unjudged version; once per version.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: { 200: z.object({ requestedAt: timestamp.describe('When it was first asked for.') }) },
  errors: ['forbidden', 'not_found', 'not_refused', 'superseded', 'not_hosted', 'removed', 'held'],
});

export const deleteVersion = defineOperation({
  id: 'deleteVersion',
  method: 'DELETE',
  path: '/api/v1/hosting/versions/{id}',
  summary: 'Delete a version that is not the live one: its links and addresses answer 410 from now on.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['forbidden', 'not_found', 'not_allowed', 'held', 'removed'],
});
