import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { copyMigratedFile, testFolder } from '../../test/prepared.ts';
import { runAdmin } from '../../test/run-admin.ts';
import { startService } from '../../test/service.ts';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { createCertificate } from '../platform/browser/certificate.ts';
import { adminCommands } from './admin-commands.ts';
import { explained } from './failures.ts';

const makeAccount = ['create-account', '--handle', 'mira', '--email', 'mira@example.com', '--password', 'x'];

/** Answers the first message of a PostgreSQL client, SSLRequest, and begins TLS if it `accepts`. Returns its port. */
async function encryptingServer(context: TestContext, accepts: boolean): Promise<number> {
  const { certificate: cert, key } = createCertificate(['localhost']);
  const secureContext = createSecureContext({ cert, key });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(accepts ? 'S' : 'N');
      if (accepts) new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  context.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

describe('a failure that the operator can fix', () => {
  for (const [what, environment, said] of [
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      /^The database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\. Check DATABASE_URL/u,
    ],
    [
      'a data folder that cannot be made',
      { DATA_DIR: '/dev/null/data' },
      /^Not a folder: ENOTDIR: not a directory, mkdir '\/dev\/null\/data'\.$/mu,
    ],
  ] as const) {
    it(`is told in a line: ${what}`, async () => {
      const { code, errors } = await runAdmin(environment, makeAccount);
      assert.equal(code, 1);
      assert.match(errors, said);
      assert.doesNotMatch(errors, /\n {4}at /u);
    });
  }

  it('is told in a line: a data folder where nothing can be made', {
    skip: process.platform !== 'linux',
  }, async () => {
    const { code, errors } = await runAdmin({ DATA_DIR: '/proc/spaceport' }, makeAccount);
    assert.equal(code, 1);
    assert.match(errors, /^Cannot be made: ENOENT.*mkdir '\/proc\/spaceport'\.$/mu);
  });

  it('is told in a line: a data folder behind a link to a disk that is not mounted', async (context) => {
    const folder = await mkdtemp(join(testFolder, 'spaceport-link-'));
    context.after(() => rm(folder, { recursive: true }));
    const link = join(folder, 'link');
    await symlink(join(folder, 'disk'), link);
    for (const DATA_DIR of [link, join(link, 'data')]) {
      const { code, errors } = await runAdmin({ DATA_DIR }, makeAccount);
      assert.equal(code, 1);
      assert.match(
        errors,
        /^Not a folder: .*link is a link to .*disk, where there is no folder .is its disk mounted.../mu,
      );
    }
  });

  it('is told in a line: a database that is not there', async (context) => {
    const service = await startService({ role: 'serve' });
    context.after(() => service.close());
    const { DATABASE_URL } = service.environment;
    if (DATABASE_URL === undefined) return context.skip('SQLite makes its file');
    const address = Object.assign(new URL(DATABASE_URL), { pathname: '/not_there' }).href;
    const { errors } = await runAdmin({ ...service.environment, DATABASE_URL: address }, makeAccount);
    assert.match(
      errors,
      /^The database cannot be used: database "not_there" does not exist\. Check DATABASE_URL/u,
    );
    assert.doesNotMatch(errors, /\n {4}at /u);
  });

  for (const [what, spoil, said] of [
    [
      'a database file that is none',
      (file: string) => writeFile(file, 'x'.repeat(100_000)),
      /^The database file \S+\/spaceport\.db is damaged: file is not a database\. Keep a copy/u,
    ],
    [
      'a database file that was cut off',
      (file: string) => truncate(file, 200_000),
      /^The database file \S+\/spaceport\.db is damaged: database disk image is malformed\. Keep a copy/u,
    ],
    [
      'a folder in place of the database file',
      (file: string) => rm(file).then(() => mkdir(file)),
      /^Not a file: EISDIR: /u,
    ],
  ] as const)
    it(`is told in a line: ${what}`, async (context) => {
      const folder = await mkdtemp(join(testFolder, 'damaged-'));
      context.after(() => rm(folder, { recursive: true }));
      const file = join(folder, 'spaceport.db');
      await copyMigratedFile(file);
      await spoil(file);
      const { code, errors } = await runAdmin({ DATA_DIR: folder, DATABASE_URL: '' }, makeAccount);
      assert.equal(code, 1);
      assert.match(errors, said);
      assert.doesNotMatch(errors, /\n {4}at /u);
    });

  it('is told in a line: a database file that another program keeps locked', async (context) => {
    const folder = await mkdtemp(join(testFolder, 'locked-'));
    context.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'spaceport.db');
    await copyMigratedFile(file);
    const other = new DatabaseSync(file);
    context.after(() => other.close());
    other.exec('pragma locking_mode = exclusive; begin exclusive');
    const { code, errors } = await runAdmin({ DATA_DIR: folder, DATABASE_URL: '' }, makeAccount);
    assert.equal(code, 1);
    assert.match(
      errors,
      /^The database file \S+\/spaceport\.db cannot be used: database is locked\. \d+ MiB are free there\. Check/u,
    );
  });

  for (const [what, query, accepts, said] of [
    ['a database that does not encrypt', 'sslmode=require', false, /server does not support SSL/u],
    ['a database whose certificate nobody vouches for', 'sslmode=require', true, /self-signed certificate/u],
    ['a file of certificates that is not there', 'sslrootcert=/nowhere.pem', true, /no such file/u],
  ] as const) {
    it(`is told in a line: ${what}`, async (context) => {
      const port = await encryptingServer(context, accepts);
      const address = `postgres://nobody@localhost:${port}/none?${query}`;
      const { code, errors } = await runAdmin({ DATABASE_URL: address }, makeAccount);
      assert.equal(code, 1);
      assert.match(errors, /^The database cannot be used: /u);
      assert.match(errors, said);
      assert.doesNotMatch(errors, /\n {4}at /u);
    });
  }

  for (const [code, said] of [
    ['EACCES', /^Not allowed: the reason\. Everything in DATA_DIR has to belong to /u],
    ['EPERM', /^Not allowed: the reason\. Everything in DATA_DIR has to belong to /u],
    ['EEXIST', 'Not a folder: the reason.'],
    ['EROFS', 'Not writable: the reason.'],
    ['ENOSPC', 'The disk is full: the reason.'],
    ['EDQUOT', 'The disk quota is used up: the reason.'],
    ['28P01', /^The database cannot be used: the reason\. /u],
    ['42501', /^The database cannot be used: the reason\. /u],
    ['CERT_HAS_EXPIRED', /^The database cannot be used: the reason\. /u],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^The database cannot be used: the reason\. /u],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^The database cannot be used: the reason\. /u],
    ['42P01', /^The database lacks tables of the service: the reason\. .*admin restore/u],
    ['EADDRINUSE', /^Port 3000 is in use: /u],
  ] as const) {
    it(`is told in a line: ${code}`, () => {
      const text = explained(Object.assign(new Error('the reason'), { code }), {}) ?? assert.fail();
      if (typeof said === 'string') assert.equal(text, said);
      else assert.match(text, said);
    });
  }

  for (const [environment, error, said] of [
    [{ HOST: '10.9.9.9' }, { syscall: 'listen', code: 'EADDRNOTAVAIL' }, /^HOST=10\.9\.9\.9 is no address/u],
    [
      { HOST: 'nobody.invalid' },
      { syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'nobody.invalid' },
      /^HOST=nobody\.invalid is no address to listen on: the reason\. /u,
    ],
    [{}, { syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'db' }, /^The database cannot be used: /u],
    [{ HOST: '10.9.9.9' }, { syscall: 'bind', code: 'EADDRNOTAVAIL' }, /^HOST=10\.9\.9\.9 is no address/u],
    [{ PORT: '80' }, { syscall: 'listen', code: 'EACCES' }, /^Port 80 is not allowed for this user: /u],
  ] as const)
    it(`is told in a line: ${error.code} of ${error.syscall} with ${JSON.stringify(environment)}`, () => {
      assert.match(explained(Object.assign(new Error('the reason'), error), environment) ?? '', said);
    });

  it('tells a place of backups that cannot be used from the store', async () => {
    const words = ['backups', '--in', 's3://id:hush@bucket?endpoint=http://127.0.0.1:1'];
    const { code, errors } = await runAdmin({ DATA_DIR: join(testFolder, 'never-made') }, words);
    assert.equal(code, 1);
    assert.match(errors, /^The place s3:\/\/bucket\/ cannot be used: .*ECONNREFUSED.*\(BACKUP_TO, or that/u);
    assert.doesNotMatch(errors, /BLOB_STORE|hush|\n {4}at /u);
  });

  it('says that there are no backups', () => {
    const { asText } = adminCommands.backups ?? assert.fail();
    assert.equal(asText?.({ place: '/nowhere', backups: [] }), 'There is no backup in /nowhere.');
  });

  it('names the cause of a store that cannot be used', () => {
    const error = new StoreUnavailable('it fails', { cause: new Error('ENOSPC: no space left on device') });
    assert.match(explained(error, {}) ?? '', /^The store cannot be used: it fails: ENOSPC: no space left/u);
  });
});

it('a fault of ours is printed with its stack', () => {
  assert.equal(explained(new TypeError('x is undefined'), {}), null);
  assert.equal(explained(Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }), {}), null);
});
