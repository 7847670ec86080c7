import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '@spaceport/client/client';
import { scopes, usualScopes } from '@spaceport/contract/scopes';
import { makeAccount } from '../src/accounts/new-account.ts';
import { createTokens } from '../src/accounts/tokens.ts';
import { type Service, startService as start } from '../src/app.ts';
import type { DomainResolver } from '../src/domains/resolver.ts';
import { createLog, type ServiceLog } from '../src/platform/log.ts';
import { TestClock } from './clock.ts';
import { contractWatch } from './contract-watch.ts';
import { testPostgres } from './postgres.ts';
import { copyMigratedFile, migratedTemplate, testFolder } from './prepared.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-http.ts';

/** A user of the service, with the shipped client. */
export interface Persona {
  readonly handle: string;
  readonly token: string;
  readonly client: Client;
  /** Makes a raw call, for requests that the client would never send. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
}

export interface TestService {
  readonly service: Service;
  readonly clock: TestClock;
  readonly port: number;
  readonly baseUrl: string;
  /** The settings of the service, for a second process on the same data. */
  readonly environment: Record<string, string>;
  /** Makes an account with a handle and a token. */
  creator(handle?: string, options?: { operator?: boolean }): Promise<Persona>;
  readonly anonymous: Pick<Persona, 'client' | 'call'>;
  /** Requests any URL of the service, also of content hosts. */
  get(url: string, options?: RawRequest): Promise<RawAnswer>;
  /** Runs jobs until the queue is empty. */
  settle(): Promise<void>;
  /**
   * Runs `act` without background jobs. Its jobs, including checks, begin afterwards. The service is
   * restarted for this.
   */
  holdJobs<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Ends the service and starts it again on the same data. */
  restart(): Promise<void>;
  /** Ends the service and deletes its data. Fails if a job has failed for good. */
  close(options?: { allowFailedJobs?: boolean }): Promise<void>;
}

export interface TestServiceOptions {
  /** Replaces the machine's DNS. */
  readonly resolver?: DomainResolver;
  readonly environment?: Record<string, string>;
  readonly role?: 'all' | 'serve' | 'work';
  /** Replaces the log, for tests that read it. */
  readonly log?: ServiceLog;
}

/** A cheap password hash, because half of the tests sign somebody up. */
const quickHash = { N: 16, r: 1 };

/** Starts the whole service on a free port, with its own data, on the engine in TEST_ENGINE. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(testFolder, 'spaceport-test-'));
  const backing = process.env.TEST_ENGINE === 'postgres' ? await postgresBacking() : null;
  if (backing === null) await copyMigratedFile(join(folder, 'spaceport.db'));
  const clock = new TestClock();
  const environment: Record<string, string> = {
    PORT: '0',
    DATA_DIR: folder,
    BROWSER: 'none',
    ...backing?.environment,
    ...options.environment,
  };
  const log = options.log ?? createLog({ LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const pagesFolder = process.env.TEST_PAGES_FOLDER;
  const role = options.role ?? 'all';
  const run = () =>
    start({
      environment,
      role,
      clock,
      log,
      watch: contractWatch,
      passwordCost: quickHash,
      pagesFolder,
      ...(options.resolver && { resolver: options.resolver }),
    });
  let service = await run();
  // A restart keeps the port, so that earlier links still work.
  environment.PORT = String(portOf(service));

  const test: TestService = {
    get service() {
      return service;
    },
    clock,
    environment,
    get port() {
      return portOf(service);
    },
    get baseUrl() {
      return service.config.BASE_URL;
    },
    async creator(handle = `c${randomBytes(5).toString('hex')}`, { operator = false } = {}) {
      const { platform } = service;
      const email = `${handle}@example.org`;
      // The account has no password, because hashing one takes a tenth of a second.
      const account = { handle, name: handle, email, passwordHash: 'none', operator };
      const id = await makeAccount(platform, account);
      await noteFirstSignUp(platform);
      const tokens = createTokens(platform);
      const { token } = await tokens.issue(id, {
        name: 'test',
        scopes: operator ? scopes : usualScopes,
      });
      tokens.close();
      return { handle, token, ...persona(test, token) };
    },
    get anonymous() {
      return persona(test, undefined);
    },
    get: (url, request) => rawRequest(portOf(service), url, request),
    settle: () => service.worker.settle(),
    async holdJobs(act) {
      await service.worker.stop();
      try {
        return await act();
      } finally {
        await test.restart();
      }
    },
    async restart() {
      await service.close();
      service = await run();
    },
    async close({ allowFailedJobs = false } = {}) {
      const failed = await service.platform.database.db
        .selectFrom('jobs')
        .select(['kind', 'ref', 'last_error'])
        .where('failed_at', 'is not', null)
        .execute();
      await service.close();
      await backing?.drop();
      await rm(folder, { recursive: true, force: true });
      if (failed.length > 0 && !allowFailedJobs)
        throw new Error(`Jobs have failed: ${JSON.stringify(failed)}`);
    },
  };
  return test;
}

function persona(test: TestService, token: string | undefined): Pick<Persona, 'client' | 'call'> {
  return {
    client: createClient({ baseUrl: test.baseUrl, token, retry: false }),
    call: (method, path, body, headers = {}) =>
      test.get(new URL(path, test.baseUrl).href, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

/** Marks the installation as used, so that the next person who signs up does not become the operator. */
async function noteFirstSignUp({ database }: Service['platform']): Promise<void> {
  await database.db
    .insertInto('settings')
    .values({ name: 'first_sign_up', value: 'before' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

function portOf(service: Service): number {
  return service.config.PORT;
}

/** Makes a new database on the run's PostgreSQL, and a new prefix in the run's S3 bucket. */
async function postgresBacking() {
  const postgres = await testPostgres();
  const url = await postgres.createDatabase(migratedTemplate ?? undefined);
  const s3 = process.env.TEST_S3_URL;
  const store = s3 ? withPrefix(s3, randomBytes(6).toString('hex')) : undefined;
  return {
    environment: { DATABASE_URL: url, DATABASE_CONNECTIONS: '6', ...(store ? { BLOB_STORE: store } : {}) },
    drop: async () => {
      await postgres.dropDatabase(url);
      await postgres.stop();
    },
  };
}

function withPrefix(url: string, prefix: string): string {
  const address = new URL(url);
  address.pathname = `/${prefix}`;
  return address.href;
}
