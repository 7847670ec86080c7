import assert from 'node:assert/strict';
import type { CheckReport, PageReport, VersionRead } from '@spaceport/contract/versions';
import { type Files, publishLive } from './files.ts';
import type { Persona, TestService } from './service.ts';

export interface Checked {
  readonly version: VersionRead;
  readonly report: CheckReport;
  readonly page: PageReport;
}

/** The beginning of a page that is not blank. */
export const drawn = '<body style="height:100vh;margin:0;background:linear-gradient(teal,navy)">';

/** Publishes for production. Returns the checked version. */
export async function publishChecked(
  service: TestService,
  creator: Persona,
  files: Files | string,
  details: Parameters<typeof publishLive>[3] = {},
): Promise<Checked> {
  const published = await publishLive(
    service,
    creator,
    typeof files === 'string' ? { 'index.html': `<!doctype html><title>Game</title>${files}` } : files,
    details,
  );
  const answer = await creator.call('GET', `/api/v1/hosting/versions/${published.version.id}`);
  const version = answer.json() as VersionRead;
  const report = version.report ?? { findings: [] };
  assert.ok(report.page, `no page in the report: ${answer.text()}`);
  return { version, report, page: report.page };
}

/** Returns the findings as texts like `refuse page-leaves`. */
export const rulesOf = ({ findings }: CheckReport) =>
  findings.map(({ rule, severity }) => `${severity} ${rule}`);
