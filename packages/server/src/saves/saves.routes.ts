import type { IncomingHttpHeaders } from 'node:http';
import * as contract from '@spaceport/contract/saves';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Binder } from '../platform/http/operations.ts';
import { playedSpace } from '../player-calls/played-space.ts';
import { type PlayCaller, playCallerOf } from '../players/play-caller.ts';
import { toSave } from './saved-content.ts';
import type { Place, Saves } from './saves.ts';

/** Binds the operations by which the page of a space saves for its player. */
export function bindSaves(binder: Binder, platform: Platform, saves: Saves): void {
  async function admit(caller: Caller, label: string): Promise<{ who: PlayCaller; place: Place }> {
    const who = playCallerOf(caller);
    const { space, env } = await playedSpace(platform, label, who);
    return { who, place: { spaceId: space.id, env } };
  }

  binder.bindAhead(contract.readSaves, async ({ caller, query }) => {
    const { who, place } = await admit(caller, query.space);
    const { slot } = query;
    const found = await (slot === undefined ? saves.list(who, place) : saves.find(who, place, slot));
    return { body: { saves: found } };
  });

  binder.bindAhead(contract.readSave, async ({ caller, query, params }) => {
    const { who, place } = await admit(caller, query.space);
    const row = await saves.read(who, place, params.slot);
    return { headers: { etag: etagOf(row.version) }, body: toSave(row) };
  });

  binder.bindAhead(contract.putSave, async ({ caller, query, params, body, headers, address }) => {
    const base = baseOf(headers);
    const { who, place } = await admit(caller, query.space);
    const head = await saves.put({ who, address }, place, params.slot, base, body);
    return { headers: { etag: etagOf(head.version) }, body: head };
  });

  binder.bind(contract.deleteSave, async ({ caller, query, params, headers, address }) => {
    const base = baseOf(headers);
    const { who, place } = await admit(caller, query.space);
    await saves.remove({ who, address }, place, params.slot, base);
    return { body: { deleted: true as const } };
  });
}

function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the version in `If-Match`; without the header 0, which means an empty slot. `*` is refused: a write
 * that names no version could overwrite content that its device has not seen.
 * @throws `invalid`
 */
function baseOf(headers: IncomingHttpHeaders): number {
  const header = headers['if-match'];
  if (header === undefined) return 0;
  const version = /^"(0|[1-9]\d{0,15})"$/u.exec(header)?.[1];
  if (version !== undefined) return Number(version);
  const message = 'must be one version in quotes: "17"';
  throw new ServiceError('invalid', `The If-Match header ${message}.`, {
    issues: [{ path: 'if-match', message }],
  });
}
