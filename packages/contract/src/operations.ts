import * as account from './account.ts';
import * as hosting from './hosting.ts';
import type { Operation } from './operation.ts';

/** Every operation of the interface: what the routes bind, the client calls and openapi.json describes. */
export const operations = [
  account.readMe,
  hosting.createVersion,
  hosting.freshUploads,
  hosting.finishVersion,
  hosting.readVersion,
  hosting.listVersions,
  hosting.rollback,
  hosting.newPreview,
  hosting.requestReview,
] as const satisfies readonly Operation[];
