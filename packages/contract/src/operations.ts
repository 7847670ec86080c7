import * as account from './account.ts';
import * as gallery from './gallery.ts';
import * as hosting from './hosting.ts';
import * as listing from './listing.ts';
import type { Operation } from './operation.ts';
import * as operators from './operators.ts';
import * as reports from './reports.ts';
import * as reviews from './reviews.ts';

/** Every operation of the interface: what the routes bind, the client calls and openapi.json describes. */
export const operations = [
  account.startLogin,
  account.exchangeLogin,
  account.readMe,
  listing.listSpace,
  listing.mySpaces,
  listing.verifySpace,
  listing.readSpace,
  listing.changeSpace,
  listing.moveSpace,
  listing.recaptureSpace,
  gallery.readGallery,
  gallery.readGallerySpace,
  gallery.readOembed,
  hosting.createVersion,
  hosting.freshUploads,
  hosting.finishVersion,
  hosting.readVersion,
  hosting.readClaim,
  hosting.listVersions,
  hosting.rollback,
  hosting.newPreview,
  hosting.requestReview,
  reports.reportSpace,
  reviews.readReviews,
  reviews.previewReview,
  reviews.decideReview,
  operators.readOperatorSpaces,
  operators.listSpaceWithoutOwner,
  operators.holdSpace,
  operators.releaseSpace,
  operators.hideSpace,
  operators.removeSpace,
  operators.restoreSpace,
  operators.readBlocks,
  operators.blockHost,
  operators.unblockHost,
  reports.readReports,
  reports.decideReport,
  operators.readAccounts,
  operators.banAccount,
  operators.unbanAccount,
  operators.readAudit,
  operators.readServiceHealth,
] as const satisfies readonly Operation[];
