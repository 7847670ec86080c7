import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readableLog } from '../../../test/log-lines.ts';
import { startService } from '../../../test/service.ts';
import { mailsTo, signUp } from '../../../test/visitor.ts';
import { queueMail } from './outbox.ts';
import { startSmtpSink } from './smtp-sink.fixture.ts';
import '../../../test/one-engine.ts';

describe('mail', () => {
  it('is sent through the mail server, retried when that is busy, and then deleted', async () => {
    const sink = await startSmtpSink();
    const service = await startService({
      environment: { SMTP_URL: sink.url, MAIL_FROM: 'Us <us@example.org>' },
    });
    try {
      sink.refuseNext = 2;
      const { email } = await signUp(service);
      for (let attempt = 0; attempt < 5 && sink.messages.length === 0; attempt++) {
        await service.settle();
        service.clock.advance({ minutes: 2 });
      }
      const [message = '', ...others] = sink.messages;
      assert.deepEqual(others, []);
      assert.match(message, /^From: Us <us@example\.org>$/mu);
      assert.match(message, new RegExp(`^To: ${email}$`, 'mu'));
      assert.match(message, /^Subject: Confirm your e-mail address$/mu);
      assert.match(message, /^Auto-Submitted: auto-generated$/mu);
      await service.settle();
      const { db } = service.service.platform.database;
      assert.deepEqual(await db.selectFrom('outgoing_mails').selectAll().execute(), []);
      assert.deepEqual(await db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').execute(), []);
      assert.deepEqual(await mailsTo(service, email), []);
    } finally {
      await service.close();
      await sink.close();
    }
  });

  it('does not block a sign-up while the mail server is away, and is given up after an hour', async () => {
    const sink = await startSmtpSink();
    await sink.close();
    const service = await startService({ environment: { SMTP_URL: sink.url } });
    try {
      await signUp(service);
      const { db } = service.service.platform.database;
      for (let minute = 0; minute < 75; minute++) {
        await service.settle();
        service.clock.advance({ minutes: 1 });
        if (minute < 58)
          assert.equal((await db.selectFrom('outgoing_mails').selectAll().execute()).length, 1);
      }
      assert.deepEqual(await db.selectFrom('outgoing_mails').selectAll().execute(), []);
      const [job] = await db.selectFrom('jobs').select('failed_at').where('kind', '=', 'mail').execute();
      assert.ok(job?.failed_at);
    } finally {
      await service.close({ allowFailedJobs: true });
    }
  });

  it('is given up at once, and is no failed job, when the mail server refuses its recipient', async () => {
    const sink = await startSmtpSink();
    const { log, lines } = readableLog();
    const service = await startService({ environment: { SMTP_URL: sink.url }, log });
    try {
      sink.knowsNobody = true;
      await signUp(service);
      await service.settle();
      const { db } = service.service.platform.database;
      assert.deepEqual(await db.selectFrom('outgoing_mails').selectAll().execute(), []);
      assert.deepEqual(await db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').execute(), []);
      await new Promise((resolve) => log.flush(resolve));
      const warnings = lines.filter(({ level }) => level === 40);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]?.msg ?? '', /^mail given up: the mail server refuses its recipient$/u);
      assert.match(warnings[0]?.reason ?? '', /550 no such user/u);
    } finally {
      await service.close();
      await sink.close();
    }
  });

  it('does not hold up the end while the mail server is slow, and is sent after the next start', async () => {
    const sink = await startSmtpSink();
    const service = await startService({ environment: { SMTP_URL: sink.url } });
    try {
      sink.isSlow = true;
      await signUp(service);
      await sink.greeted;
      await service.service.close();
      sink.isSlow = false;
      await service.restart();
      await service.settle();
      assert.equal(sink.messages.length, 1);
    } finally {
      await service.close();
      await sink.close();
    }
  });

  it('is in files that are listed in the order in which it was written, though they are made at once', async () => {
    const service = await startService();
    try {
      const subjects = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
      await service.holdJobs(async () => {
        const { database } = service.service.platform;
        for (const subject of subjects) {
          service.clock.advance({ seconds: 1 });
          await database.transaction((tx) => queueMail(tx, { to: 'ada@example.org', subject, text: '' }));
        }
      });
      const mails = await mailsTo(service, 'ada@example.org');
      assert.deepEqual(
        mails.map((mail) => /^Subject: (.*)\r$/mu.exec(mail)?.[1]),
        subjects,
      );
    } finally {
      await service.close();
    }
  });

  it('is written to a private file when no mail server is configured, with links to copy', async () => {
    const service = await startService();
    try {
      const { email } = await signUp(service);
      const [mail = ''] = await mailsTo(service, email);
      assert.match(mail, /^From: Spaceport <spaceport@localhost>\r$/mu);
      assert.match(mail, /^Auto-Submitted: auto-generated\r$/mu);
      assert.match(mail, /^http:\/\/localhost:\d+\/verify\?token=[\w.-]+\r$/mu);
      const folder = join(service.environment.DATA_DIR ?? '', 'mail');
      const [name = ''] = await readdir(folder);
      assert.match(name, /\.eml$/u);
      assert.equal((await stat(join(folder, name))).mode & 0o077, 0);
      assert.equal((await stat(folder)).mode & 0o077, 0);
    } finally {
      await service.close();
    }
  });
});
