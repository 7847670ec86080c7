import * as reports from '@spaceport/contract/play-reports';
import * as contract from '@spaceport/contract/telemetry';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { playCallerOf } from '../players/play-caller.ts';
import type { Players } from '../players/players.ts';
import { visitorOf } from '../plays/visits.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { readErrorMails, setErrorMails } from './error-mail.ts';
import { createMapStack } from './map-stack.ts';
import { changeOwnError, readOwnError, readOwnErrors } from './read-errors.ts';
import { readOwnTelemetry } from './read-telemetry.ts';
import type { Telemetry } from './telemetry.ts';

/** Binds the operations by which pages report loads of spaces, and owners read the results. */
export function bindTelemetry(
  binder: Binder,
  platform: Platform,
  { players: { sessions }, telemetry }: { players: Players; telemetry: Telemetry },
): void {
  const mapStack = createMapStack(platform);

  binder.bind(
    reports.reportPlay,
    async ({ caller, body: { session: sealed, ...report }, headers, address }) => {
      const session = await sessions.read(sealed, playCallerOf(caller));
      return { body: { counted: await telemetry.played(session, report, visitorOf(headers, address)) } };
    },
  );
  binder.bind(reports.reportErrors, async ({ caller, body, headers, address }) => {
    const session = await sessions.read(body.session, playCallerOf(caller));
    return { body: { kept: await telemetry.failed(session, body.errors, visitorOf(headers, address)) } };
  });

  binder.bind(contract.readTelemetry, async ({ params, query, caller }) => {
    const creator = requireCreator(caller);
    await telemetry.flush();
    return { body: await readOwnTelemetry(platform, creator, params.slug, query.env) };
  });
  binder.bind(contract.readErrors, async ({ params, query, caller }) => {
    const creator = requireCreator(caller);
    await telemetry.flush();
    return { body: await readOwnErrors(platform, creator, params.slug, query) };
  });
  binder.bind(contract.readError, async ({ params, caller }) => ({
    body: await readOwnError(platform, requireCreator(caller), params, mapStack),
  }));
  binder.bind(contract.changeError, async ({ params, body, caller }) => {
    const creator = requireActive(caller);
    await telemetry.flush();
    return { body: await changeOwnError(platform, creator, params, body.resolved) };
  });
  binder.bind(contract.readErrorMails, async ({ params, caller }) => ({
    body: { on: await readErrorMails(platform, requireCreator(caller), params.slug) },
  }));
  binder.bind(contract.setErrorMails, async ({ params, body, caller }) => ({
    body: { on: await setErrorMails(platform, requireActive(caller), params.slug, body.on) },
  }));
}
