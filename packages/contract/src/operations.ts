import * as account from './account.ts';
import * as access from './account-access.ts';
import * as achievements from './achievements.ts';
import * as activity from './activity.ts';
import * as boards from './boards.ts';
import * as gallery from './gallery.ts';
import * as hosting from './hosting.ts';
import * as listing from './listing.ts';
import * as moderation from './moderation.ts';
import type { Operation } from './operation.ts';
import * as operators from './operators.ts';
import * as ownAccount from './own-account.ts';
import * as players from './players.ts';
import * as reports from './reports.ts';
import * as reviews from './reviews.ts';
import * as serverCalls from './server-calls.ts';
import * as signIn from './sign-in.ts';

/** Every operation of the interface: what the routes bind, the client calls and openapi.json describes. */
export const operations = [
  account.startLogin,
  account.exchangeLogin,
  account.readMe,
  signIn.signUp,
  signIn.signIn,
  signIn.signOut,
  signIn.requestPasswordReset,
  signIn.resetPassword,
  signIn.confirmEmail,
  ownAccount.readAccount,
  ownAccount.renameAccount,
  ownAccount.chooseHandle,
  ownAccount.changeEmail,
  ownAccount.sendConfirmation,
  ownAccount.changePassword,
  access.readTokens,
  access.revokeToken,
  access.readPasskeys,
  access.renamePasskey,
  access.removePasskey,
  access.readSessions,
  access.endSession,
  access.endOtherSessions,
  access.findDevice,
  access.decideDevice,
  access.claimUnlisted,
  listing.listSpace,
  listing.mySpaces,
  listing.verifySpace,
  listing.readSpace,
  listing.changeSpace,
  listing.moveSpace,
  listing.recaptureSpace,
  activity.readActivity,
  gallery.readGallery,
  gallery.readGallerySpace,
  gallery.readEntries,
  gallery.readGalleryPlayer,
  gallery.readOembed,
  boards.readBoards,
  boards.putBoards,
  boards.deleteBoard,
  boards.issueSecret,
  boards.readSecret,
  achievements.readAchievements,
  achievements.putAchievements,
  achievements.deleteStat,
  achievements.deleteAchievement,
  moderation.deleteSubmission,
  moderation.readBans,
  moderation.banPlayer,
  moderation.liftBan,
  serverCalls.postScores,
  serverCalls.postStats,
  serverCalls.unlockAchievement,
  players.readKeys,
  players.issuePlayerToken,
  hosting.createVersion,
  hosting.freshUploads,
  hosting.finishVersion,
  hosting.readVersion,
  hosting.readClaim,
  hosting.listVersions,
  hosting.rollback,
  hosting.newPreview,
  hosting.requestReview,
  hosting.resetSandbox,
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
