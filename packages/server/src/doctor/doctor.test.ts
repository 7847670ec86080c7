import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findingSubjects } from '@spaceport/contract/service-findings';
import { runAdmin } from '../../test/run-admin.ts';
import { startService } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { startSmtpSink } from '../platform/mail/smtp-sink.fixture.ts';
import { examine } from './examine.ts';
import type { Finding, Subject } from './finding.ts';
import { lookAtBrowser, lookAtDisk } from './look-at-machine.ts';

/** Starts a service, and returns what the doctor shows its operator. */
async function patient(context: TestContext, environment: Record<string, string> = {}) {
  const service = await startService({ role: 'serve', environment });
  context.after(() => service.close());
  const operator = await service.creator('ops', { operator: true });
  const examine = async () => {
    const { findings }: { findings: Finding[] } = (
      await operator.call('GET', '/api/operator/health/findings')
    ).json();
    return findings;
  };
  const look = async (subject: Subject) =>
    (await examine()).find(({ about }) => about === subject) ?? assert.fail(subject);
  return { service, examine, look };
}

describe('the doctor', () => {
  it('checks everything once, and gives advice on everything that is wrong', async (context) => {
    const { examine } = await patient(context);
    const findings = await examine();
    assert.deepEqual(findings.map(({ about }) => about).sort(), [...findingSubjects].sort());
    // The room and the speed of a disk depend on the machine.
    const fixed = findings.filter(({ about }) => !['disk', 'database', 'store'].includes(about));
    const odd = fixed.filter(({ state }) => state !== 'ok').map(({ about, state }) => [about, state]);
    assert.deepEqual(odd, [
      ['mail', 'warning'],
      ['browser', 'not_looked_at'],
      ['backup', 'warning'],
    ]);
    for (const { about, state, said } of findings)
      if (about === 'database' || about === 'store') assert.notEqual(state, 'wrong', said);
    for (const { state, advice } of findings)
      assert.equal(advice === null, state === 'ok' || state === 'not_looked_at');
  });

  it('signs in to the mail server, and sends nothing', async (context) => {
    const sink = await startSmtpSink();
    const { look } = await patient(context, { SMTP_URL: sink.url, MAIL_FROM: 'Us <us@a.example>' });
    const letIn = await look('mail');
    assert.equal(letIn.state, 'ok');
    assert.match(letIn.said, /may still refuse/u);
    assert.deepEqual(sink.messages, []);
    await sink.close();
    const { state, said } = await look('mail');
    assert.equal(state, 'wrong');
    assert.match(said, /ECONNREFUSED/u);
  });

  it('warns of a sender that is at no address on the internet', async (context) => {
    const sink = await startSmtpSink();
    for (const from of ['', 'Us <us@mailhost>', 'us@mail.internal']) {
      const { look } = await patient(context, {
        SMTP_URL: sink.url,
        ...(from !== '' && { MAIL_FROM: from }),
      });
      const { state, said, advice } = await look('mail');
      assert.equal(state, 'warning', from);
      assert.match(said, /no address on the internet/u);
      assert.match(advice ?? '', /MAIL_FROM/u);
    }
    await sink.close();
  });

  it('writes a test blob to the store, which may be unavailable or full', async (context) => {
    const store = 's3://spaceport?endpoint=http://127.0.0.1:1&region=eu-1';
    const { look } = await patient(context, { BLOB_STORE: store, MAX_VERSION_BYTES: '99999999g' });
    const found = await look('store');
    assert.equal(found.state, 'wrong');
    assert.match(found.said, /does not answer as it should: ./u);
    assert.match(found.advice ?? '', /BLOB_STORE/u);
    assert.equal((await look('disk')).state, 'wrong');
  });

  it('blames the store, and not the database, for a store that cannot be opened', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const backing = new StoreUnavailable('the blob folder does not take files', { cause: full });
    const browser = async () => ({ is: 'elsewhere' }) as const;
    const findings = await examine({ config: readConfig({}), clock: systemClock, backing, browser });
    const findingOf = (subject: Subject) => findings.find(({ about }) => about === subject);
    assert.equal(findingOf('database')?.state, 'not_looked_at');
    assert.match(findingOf('store')?.said ?? '', /ENOSPC/u);
  });

  it('looks before the first start at the disk that DATA_DIR will be on', async (context) => {
    const parent = await mkdtemp(join(tmpdir(), 'spaceport-doctor-'));
    context.after(() => rm(parent, { recursive: true }));
    const config = readConfig({ DATA_DIR: join(parent, 'not', 'made') });
    assert.match((await lookAtDisk(config)).said, new RegExp(`are free at ${parent}\\.$`, 'u'));
  });

  it('says that temporary files cannot be written, whatever the disk has', async (context) => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'spaceport-doctor-'));
    context.after(() => rm(DATA_DIR, { recursive: true }));
    const config = readConfig({ DATA_DIR, MAX_FILE_BYTES: '1', MAX_VERSION_BYTES: '1' });
    await symlink(join(DATA_DIR, 'not mounted'), join(DATA_DIR, 'tmp'));
    const { state, said, advice } = await lookAtDisk(config);
    assert.equal(state, 'wrong');
    assert.match(said, /Temporary files cannot be written: .*tmp is a link to .*not mounted/u);
    assert.match(advice ?? '', /DATA_DIR\/tmp/u);
    await mkdir(join(DATA_DIR, 'not mounted'));
    assert.doesNotMatch((await lookAtDisk(config)).said, /Temporary/u);
  });

  it('warns of a browser that is old, or has no sandbox', () => {
    const ready = { is: 'ready', from: 'npm', version: '153.0.0', sandbox: true, isRoot: false } as const;
    const inDays = (days: number) => Date.UTC(2026, 8, 8 + days);
    assert.equal(lookAtBrowser(ready, inDays(30)).state, 'ok');
    assert.match(lookAtBrowser(ready, inDays(90)).said, /out for about 90 days/u);
    assert.equal(lookAtBrowser(ready, inDays(90)).state, 'warning');
    assert.equal(lookAtBrowser({ ...ready, sandbox: false }, inDays(30)).state, 'warning');
    assert.equal(lookAtBrowser({ ...ready, isRoot: true }, inDays(30)).state, 'warning');
  });

  it('compares the clock of this machine with that of a remote database', async (context) => {
    const { service, look } = await patient(context);
    assert.equal((await look('clock')).state, 'ok');
    service.clock.advance({ minutes: 5 });
    const hasOwnClock = service.service.platform.database.engine === 'postgres';
    assert.equal((await look('clock')).state, hasOwnClock ? 'wrong' : 'ok');
  });

  it('runs on the command line too, also while the database is unavailable', async (context) => {
    const { service } = await patient(context);
    const well = await runAdmin(service.environment, ['doctor']);
    assert.equal(well.code, 0, well.errors);
    assert.equal(well.json.findings.length, findingSubjects.length);
    const away = { ...service.environment, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    assert.equal((await runAdmin(away, ['doctor'])).code, 1);
  });
});
