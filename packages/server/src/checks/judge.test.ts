import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { type VersionUnderCheck, versionUnderCheck } from '../versions/judgement.ts';
import { judge } from './judge.ts';
import type { Rule } from './rule.ts';

const away = new Error('the database is away');
const throws: Rule = { name: 'throws', check: () => Promise.reject(away) };
const refuses: Rule = {
  name: 'refuses',
  check: async () => [{ rule: 'refuses', severity: 'refuse', message: 'Bad.', fix: 'Change it.' }],
};

describe('judging a version', () => {
  // It only serves, so that the version waits for the judgement of the test.
  let service: TestService;
  let version: VersionUnderCheck;
  before(async () => {
    service = await startService({ role: 'serve' });
    const published = await publishFiles(await service.creator(), smallGame, {}, { live: true });
    const found = await versionUnderCheck(
      service.service.platform,
      givenId('ver', published.version.id),
      'checking',
    );
    assert.ok(found);
    version = found;
  });
  after(() => service?.close());

  const judgeBy = (...rules: Rule[]) =>
    judge(
      service.service.platform,
      version,
      { rules, liveSecrets: () => Promise.reject(away), checkPage: async () => null },
      new AbortController().signal,
    );

  it('fails with the error of a rule, so that the check runs again and the operator is told', async () => {
    await assert.rejects(judgeBy(throws), away);
  });

  it('refuses what another rule refuses, whatever a rule throws', async () => {
    assert.equal((await judgeBy(throws, refuses)).verdict, 'refused');
  });
});
