import * as account from './account.ts';
import * as access from './account-access.ts';
import * as achievements from './achievements.ts';
import * as activity from './activity.ts';
import * as adopting from './adopting.ts';
import * as auditLog from './audit.ts';
import * as bans from './bans.ts';
import * as boards from './boards.ts';
import * as content from './content.ts';
import * as covers from './covers.ts';
import * as deleting from './deleting.ts';
import * as domains from './domains.ts';
import * as gallery from './gallery.ts';
import * as hosting from './hosting.ts';
import * as listing from './listing.ts';
import * as moderation from './moderation.ts';
import * as oneCall from './one-call.ts';
import type { Operation } from './operation.ts';
import * as operatorAccounts from './operator-accounts.ts';
import * as operators from './operators.ts';
import * as ownAccount from './own-account.ts';
import * as ownPlay from './own-play.ts';
import * as ownTokens from './own-tokens.ts';
import * as ownVersions from './own-versions.ts';
import * as playReports from './play-reports.ts';
import * as player from './player.ts';
import * as playerProgress from './player-progress.ts';
import * as players from './players.ts';
import * as plays from './plays.ts';
import * as reports from './reports.ts';
import * as reviews from './reviews.ts';
import * as rooms from './rooms.ts';
import * as sandbox from './sandbox.ts';
import * as saves from './saves.ts';
import * as serverCalls from './server-calls.ts';
import * as serviceFindings from './service-findings.ts';
import * as serviceHealth from './service-health.ts';
import * as shownVersion from './shown-version.ts';
import * as signIn from './sign-in.ts';
import * as takenDown from './taken-down.ts';
import * as telemetry from './telemetry.ts';
import * as webhooks from './webhooks.ts';

/**
 * Every operation of the interface. Routes bind them, the client calls them and openapi.json describes them.
 */
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
  ownAccount.checkHandle,
  ownAccount.chooseHandle,
  ownAccount.changeEmail,
  ownAccount.sendConfirmation,
  ownAccount.changePassword,
  ownAccount.deleteAccount,
  ownTokens.readTokens,
  ownTokens.createToken,
  ownTokens.changeToken,
  ownTokens.revokeToken,
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
  covers.putCover,
  covers.deleteCover,
  covers.chooseCover,
  covers.readTakes,
  deleting.takeSpaceOffline,
  deleting.putSpaceOnline,
  deleting.deleteSpace,
  deleting.restoreDeletedSpace,
  activity.readActivity,
  telemetry.readTelemetry,
  telemetry.readErrors,
  telemetry.readError,
  telemetry.changeError,
  telemetry.readErrorMails,
  telemetry.setErrorMails,
  domains.readDomain,
  domains.putDomain,
  domains.deleteDomain,
  webhooks.readWebhooks,
  webhooks.putWebhooks,
  webhooks.readDeliveries,
  webhooks.resendDelivery,
  webhooks.testWebhook,
  gallery.readGallery,
  gallery.readGallerySpace,
  gallery.readEntries,
  gallery.readGalleryPlayer,
  gallery.readOembed,
  boards.readBoards,
  boards.putBoards,
  boards.deleteBoard,
  boards.readOwnEntries,
  boards.issueSecret,
  boards.readSecret,
  achievements.readAchievements,
  achievements.putAchievements,
  achievements.deleteStat,
  achievements.deleteAchievement,
  moderation.deleteSubmission,
  moderation.deleteSubmissions,
  moderation.readReplays,
  moderation.readReplay,
  bans.readBans,
  bans.banPlayer,
  bans.liftBan,
  serverCalls.postScores,
  serverCalls.postStats,
  serverCalls.unlockAchievement,
  players.readKeys,
  players.issuePlayerToken,
  player.openPlaySession,
  adopting.adoptGuest,
  ownPlay.readOwnPlay,
  ownPlay.changeOwnPlay,
  ownPlay.exportOwnPlay,
  ownPlay.forgetOwnPlay,
  ownPlay.readMade,
  ownPlay.removeMade,
  ownPlay.readLoser,
  ownPlay.restoreLoser,
  ownPlay.deleteLoser,
  rooms.enterRoom,
  rooms.listRooms,
  rooms.readRoom,
  saves.readSaves,
  saves.readSave,
  saves.putSave,
  saves.deleteSave,
  content.readContent,
  content.readContentItem,
  content.publishContent,
  content.removeContent,
  content.likeContent,
  content.unlikeContent,
  content.reportContent,
  content.readOwnContent,
  content.readOwnContentItem,
  content.deleteOwnContent,
  playReports.reportPlay,
  playReports.reportErrors,
  player.startRun,
  player.submitScore,
  playerProgress.submitStat,
  playerProgress.submitAchievement,
  playerProgress.readPlayedAchievements,
  player.readPlayedScores,
  shownVersion.readShownVersion,
  oneCall.publishArchive,
  hosting.createVersion,
  hosting.freshUploads,
  hosting.finishVersion,
  hosting.readVersion,
  hosting.readVersionFiles,
  hosting.readClaim,
  ownVersions.listVersions,
  ownVersions.rollback,
  ownVersions.newPreview,
  ownVersions.requestReview,
  ownVersions.deleteVersion,
  sandbox.resetSandbox,
  plays.countPlay,
  reports.reportSpace,
  reviews.readReviews,
  reviews.previewReview,
  reviews.readReviewFiles,
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
  takenDown.readTakenDown,
  takenDown.takeDownFile,
  takenDown.giveBackFile,
  reports.readReports,
  reports.readReport,
  reports.decideReport,
  operatorAccounts.readAccounts,
  operatorAccounts.banAccount,
  operatorAccounts.unbanAccount,
  auditLog.readAudit,
  serviceHealth.readServiceHealth,
  serviceFindings.examineService,
] as const satisfies readonly Operation[];
