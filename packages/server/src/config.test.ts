import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ConfigError, printable, readConfig, settingsAsMarkdown } from './config.ts';

describe('settings', () => {
  it('are all optional', () => {
    const config = readConfig({});
    assert.equal(config.PORT, 3000);
    assert.equal(config.BASE_URL, 'http://localhost:3000');
    assert.equal(config.PLAY_HOST, 'play.localhost:3000');
    assert.equal(config.API_TOKEN_SECONDS, 90 * 24 * 3600);
  });

  it('derive from the port', () => {
    const config = readConfig({ PORT: '8080' });
    assert.deepEqual(
      [config.BASE_URL, config.PREVIEW_HOST],
      ['http://localhost:8080', 'temp.localhost:8080'],
    );
  });

  it('are listed together when several are wrong', () => {
    const wrong = {
      PORT: '99999',
      BASE_URL: 'spaceport',
      TRUST_PROXY: 'maybe',
      MAX_FILE_BYTES: 'much',
      CLAMD: 'nowhere',
      DATABASE_URL: 'mysql://x:secret@y',
    };
    assert.throws(
      () => readConfig(wrong),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(
          error.problems.map((problem) => problem.split(':')[0]).sort(),
          Object.keys(wrong).sort(),
        );
        assert.ok(!error.message.includes('secret'), 'a secret setting is not shown');
        return true;
      },
    );
  });

  it('are refused when they contradict each other', () => {
    assert.throws(() => readConfig({ BASE_URL: 'http://play.localhost:3000' }), /PLAY_HOST/u);
    assert.throws(
      () => readConfig({ PLAY_HOST: 'one.example', PREVIEW_HOST: 'one.example' }),
      /PREVIEW_HOST/u,
    );
    assert.throws(() => readConfig({ MAX_FILE_BYTES: '2g' }), /MAX_FILE_BYTES/u);
  });

  it('accept an e-mail address or a page as the contact, and pages for the foot', () => {
    const read = (CONTACT: string, FOOTER_LINKS = '') => {
      const config = readConfig({ CONTACT, FOOTER_LINKS });
      return { contact: config.CONTACT, links: config.FOOTER_LINKS };
    };
    assert.deepEqual(read(''), { contact: null, links: [] });
    assert.deepEqual(
      read('ops@games.example', 'Terms of use=https://games.example/terms?v=2, Privacy=https://p.example/'),
      {
        contact: { label: 'ops@games.example', href: 'mailto:ops@games.example' },
        links: [
          { label: 'Terms of use', href: 'https://games.example/terms?v=2' },
          { label: 'Privacy', href: 'https://p.example' },
        ],
      },
    );
    const page = 'https://games.example/contact';
    assert.deepEqual(read(page).contact, { label: page, href: page });
    for (const wrong of ['ops', 'javascript:alert(1)', 'a@b?subject=x', 'ops@a, ops@b'])
      assert.throws(() => read(wrong), /CONTACT/u, wrong);
    for (const wrong of ['https://games.example/terms', 'Terms=javascript:alert(1)', 'Terms=/terms'])
      assert.throws(() => read('', wrong), /FOOTER_LINKS/u, wrong);
  });

  it('accept proxies as a number or as networks', () => {
    const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).TRUST_PROXY;
    assert.deepEqual(['false', '0', 'true', '1', '2', '10.0.0.0/8, ::1'].map(read), [
      false,
      false,
      1,
      1,
      2,
      ['10.0.0.0/8', '::1'],
    ]);
    for (const wrong of ['10.0.0.0/33', 'localhost', ',', '-1'])
      assert.throws(() => read(wrong), /TRUST_PROXY/u);
  });

  it('are refused when nothing could work with them', () => {
    const wrong = {
      PLAY_HOST: '*.spaceport-play.example',
      PREVIEW_HOST: '192.0.2.1:3000',
      MAIL_FROM: 'Spaceport',
      SMTP_URL: 'smtp://',
      LOG_LEVEL: 'verbose',
      X_ACCEL_REDIRECT: 'blobs/',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=50%',
    };
    assert.throws(
      () => readConfig(wrong),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(
          error.problems.map((problem) => problem.split(':')[0]).sort(),
          Object.keys(wrong).sort(),
        );
        assert.match(error.message, /PLAY_HOST: "\*\.spaceport-play\.example" begins with «\*\.»/u);
        return true;
      },
    );
    for (const wrongHost of ['play.example.', 'a..b', '_play.example', '[::1]:3000', '-a.example'])
      assert.throws(() => readConfig({ PLAY_HOST: wrongHost }), /PLAY_HOST: .* is not a host name/u);
    assert.throws(
      () => readConfig({ X_ACCEL_REDIRECT: '/blobs/', BLOB_STORE: 's3://bucket' }),
      /X_ACCEL_REDIRECT: nginx/u,
    );
  });

  it('are refused when no clock or timer reaches so far', () => {
    const wrong = {
      SESSION_SECONDS: '99999999999',
      BACKUP_EVERY: '999999d',
      CHECK_SECONDS: '86401',
      JOB_LEASE_SECONDS: '9999999',
      DRAIN_SECONDS: '9999999',
      GUEST_DAYS: '1000000',
      AUDIT_DAYS: '1000000',
      RANK_SEGMENT_SIZE: '9999999999',
    };
    assert.throws(
      () => readConfig(wrong),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        for (const name of Object.keys(wrong))
          assert.ok(
            error.problems.some((problem) => problem.startsWith(`${name}: `) && / is over \d/u.test(problem)),
            name,
          );
        return true;
      },
    );
    const longest = { SESSION_SECONDS: '9999999999', GUEST_DAYS: '99999', BACKUP_EVERY: '99999d' };
    assert.equal(readConfig(longest).SESSION_SECONDS, 9_999_999_999);
  });

  it('are accepted as people write them', () => {
    for (const name of [
      'games.localhost:3000',
      'Play.Example',
      'xn--spiele-0za.example',
      'play.1and1.example',
    ])
      assert.equal(readConfig({ PLAY_HOST: name }).PLAY_HOST, name.toLowerCase());
    for (const from of ['mail@a.example', 'Games <mail@a.example>', '"Games: Inc., A" <mail@a.example>'])
      assert.equal(readConfig({ MAIL_FROM: from }).MAIL_FROM, from);
    for (const MAIL_FROM of ['Games, Inc. <mail@a.example>', 'Games: all <mail@a.example>'])
      assert.throws(() => readConfig({ MAIL_FROM }), /MAIL_FROM/u, MAIL_FROM);
    assert.equal(readConfig({ LOG_LEVEL: 'WARN' }).LOG_LEVEL, 'warn');
    assert.equal(readConfig({ X_ACCEL_REDIRECT: '/blobs' }).X_ACCEL_REDIRECT, '/blobs/');
  });

  it('accept sizes with units', () => {
    assert.equal(readConfig({ MAX_FILE_BYTES: '64m' }).MAX_FILE_BYTES, 64 * 1024 * 1024);
  });

  it('take less memory by themselves where there is little', () => {
    const MiB = 1024 * 1024;
    const memoryOf = (memoryBytes: number, environment = {}) => {
      const { SERVING_CACHE_BYTES, RESPONSE_CACHE_BYTES, BODY_MEMORY_BYTES } = readConfig(
        environment,
        memoryBytes,
      );
      return [SERVING_CACHE_BYTES, RESPONSE_CACHE_BYTES, BODY_MEMORY_BYTES].map((bytes) => bytes / MiB);
    };
    assert.deepEqual(memoryOf(Number.POSITIVE_INFINITY), [128, 64, 64]);
    assert.deepEqual(memoryOf(1024 * MiB), [128, 64, 64]);
    assert.deepEqual(memoryOf(512 * MiB), [64, 32, 32]);
    assert.deepEqual(memoryOf(256 * MiB), [32, 16, 22]);
    assert.deepEqual(memoryOf(256 * MiB, { SERVING_CACHE_BYTES: '100m' }), [100, 16, 22]);
  });

  it('are printed without their secrets', () => {
    const shown = JSON.stringify(printable(readConfig({ DATABASE_URL: 'postgres://u:hush@h/d' })));
    assert.ok(!shown.includes('hush'));
  });

  it('are printed as set only where they are', () => {
    const hidden = (environment: Record<string, string>) =>
      Object.entries(printable(readConfig(environment)))
        .filter(([, value]) => value === '(set)')
        .map(([name]) => name);
    assert.deepEqual(hidden({}), []);
    const secrets = { METRICS_TOKEN: 'hush', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hush' };
    assert.deepEqual(hidden(secrets).sort(), Object.keys(secrets));
  });

  it('name what is wrong with the address of a store or a collector, and never its secret', () => {
    const wrong = {
      BLOB_STORE: 's3://id:hush@bucket?endpont=https://s3.example',
      BACKUP_TO: 's3://id@bucket/prefix',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://id:hush@collector.example',
      // A key with a slash is no address any more.
      BASE_URL: 'https://id:a/hush@app.example',
    };
    assert.throws(
      () => readConfig(wrong),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /BLOB_STORE: its value cannot be used: .*unknown parameter: endpont/u);
        assert.match(error.message, /BACKUP_TO: its value cannot be used: .*both key id and secret/u);
        assert.match(error.message, /OTEL_EXPORTER_OTLP_ENDPOINT: its value has a name or password in it/u);
        assert.match(error.message, /BASE_URL: its value is not an address/u);
        assert.doesNotMatch(error.message, /hush/u);
        return true;
      },
    );
  });

  it('match their description in docs/self-hosting.md', () => {
    const page = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
    assert.ok(page.includes(settingsAsMarkdown()), 'run npm run docs:config');
  });
});
