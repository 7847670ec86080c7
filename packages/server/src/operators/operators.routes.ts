import * as auditLog from '@spaceport/contract/audit';
import * as operatorAccounts from '@spaceport/contract/operator-accounts';
import * as operators from '@spaceport/contract/operators';
import * as reports from '@spaceport/contract/reports';
import * as reviews from '@spaceport/contract/reviews';
import { examineService } from '@spaceport/contract/service-findings';
import { readServiceHealth } from '@spaceport/contract/service-health';
import * as takenDown from '@spaceport/contract/taken-down';
import { createExaminations } from '../doctor/examine.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Binder } from '../platform/http/operations.ts';
import { toOwnSpace } from '../spaces/space-view.ts';
import type { StateAction } from '../spaces/states.ts';
import { readReviewFiles } from '../versions/version-files.ts';
import { changeBan, listAccounts } from './accounts.ts';
import { readAuditLog } from './audit-log.ts';
import { listBlocks } from './blocks.ts';
import { listOwnerless } from './list-ownerless.ts';
import { readCase } from './report-case.ts';
import { decideReport, listReports } from './reports.ts';
import { requireOperator } from './require-operator.ts';
import { decide, listReviews, reviewLink } from './reviews.ts';
import { browserState, readHealth } from './service-health.ts';
import { blockHost, unblockHost } from './space-actions.ts';
import { changeSpaceState, listSpaces } from './spaces.ts';
import { changeTakenDown, listTakenDown } from './taken-down.ts';

/** Binds `/api/operator/*`. */
export function bindOperators(binder: Binder, platform: Platform): void {
  bindReviews(binder, platform);
  bindSpaceActions(binder, platform);
  bindBlocks(binder, platform);
  bindTakenDown(binder, platform);

  binder.bind(reports.readReports, async ({ query }) => ({ body: await listReports(platform, query) }));
  binder.bind(reports.readReport, async ({ params }) => ({
    body: await readCase(platform, givenId('rep', params.id)),
  }));
  binder.bind(reports.decideReport, async ({ caller, params, body }) => ({
    body: await decideReport(platform, givenId('rep', params.id), body, requireOperator(caller).creatorId),
  }));

  binder.bind(operatorAccounts.readAccounts, async ({ query }) => ({
    body: await listAccounts(platform, query),
  }));
  for (const [operation, banned] of [
    [operatorAccounts.banAccount, true],
    [operatorAccounts.unbanAccount, false],
  ] as const) {
    binder.bind(operation, async ({ caller, params, body }) => {
      const by = requireOperator(caller).creatorId;
      const deed = { banned, reason: body.reason, message: body.message ?? null, by };
      return { body: await changeBan(platform, params.handle, deed) };
    });
  }

  binder.bind(auditLog.readAudit, async ({ query }) => ({ body: await readAuditLog(platform, query) }));
  binder.bind(readServiceHealth, async () => ({ body: await readHealth(platform) }));
  const { config, clock } = platform;
  const browser = () => browserState(platform);
  const examination = createExaminations({ config, clock, backing: platform, browser });
  binder.bind(examineService, async () => ({ body: { findings: await examination() } }));
}

function bindReviews(binder: Binder, platform: Platform): void {
  binder.bind(reviews.readReviews, async ({ query }) => ({ body: await listReviews(platform, query) }));
  binder.bind(reviews.previewReview, async ({ params }) => ({
    body: await reviewLink(platform, givenId('ver', params.id)),
  }));
  binder.bind(reviews.readReviewFiles, async ({ params }) => ({
    body: await readReviewFiles(platform, givenId('ver', params.id)),
  }));
  binder.bind(reviews.decideReview, async ({ caller, params, body }) => {
    const decision = { approve: body.decision === 'approve', reason: body.reason };
    const decided = await decide(
      platform,
      givenId('ver', params.id),
      decision,
      requireOperator(caller).creatorId,
    );
    return { body: { id: params.id, ...decided } };
  });
}

const stateOperations = {
  hold: operators.holdSpace,
  release: operators.releaseSpace,
  hide: operators.hideSpace,
  remove: operators.removeSpace,
  restore: operators.restoreSpace,
} as const satisfies Record<StateAction, unknown>;

function bindSpaceActions(binder: Binder, platform: Platform): void {
  binder.bind(operators.readOperatorSpaces, async ({ query }) => ({
    body: await listSpaces(platform, query),
  }));
  for (const [action, operation] of Object.entries(stateOperations)) {
    binder.bind(operation, async ({ caller, params, body }) => ({
      body: await changeSpaceState(platform, params.slug, {
        action: action as StateAction,
        reason: body.reason,
        message: body.message ?? null,
        by: requireOperator(caller).creatorId,
      }),
    }));
  }
  binder.bind(operators.listSpaceWithoutOwner, async ({ caller, body: { url, ...fields } }) => {
    const view = await listOwnerless(platform, url, fields, requireOperator(caller).creatorId);
    return { body: toOwnSpace(platform.urls, view) };
  });
}

function bindBlocks(binder: Binder, platform: Platform): void {
  binder.bind(operators.readBlocks, async ({ query }) => ({ body: await listBlocks(platform, query) }));
  binder.bind(operators.blockHost, async ({ caller, body: { host, reason } }) => {
    const by = requireOperator(caller).creatorId;
    return { body: { host: await blockHost(platform, host, reason, by), blocked: true } };
  });
  binder.bind(operators.unblockHost, async ({ caller, body: { host, reason } }) => {
    const by = requireOperator(caller).creatorId;
    return { body: { host: await unblockHost(platform, host, reason, by), blocked: false } };
  });
}

function bindTakenDown(binder: Binder, platform: Platform): void {
  binder.bind(takenDown.readTakenDown, async ({ query }) => ({ body: await listTakenDown(platform, query) }));
  for (const [operation, down] of [
    [takenDown.takeDownFile, true],
    [takenDown.giveBackFile, false],
  ] as const) {
    binder.bind(operation, async ({ caller, body: { sha256, reason } }) => {
      const by = requireOperator(caller).creatorId;
      return { body: await changeTakenDown(platform, sha256, { down, reason, by }) };
    });
  }
}
