import { rm } from 'node:fs/promises';
import process from 'node:process';
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts';
import { makeFolder } from '../../packages/server/test/postgres-binaries.ts';
import { makeMigrated } from '../../packages/server/test/prepared.ts';
import type { PlannedRun } from './plan.ts';

/** The servers that the runner starts once for all tests. */
export interface Services {
  /** Environment variables with the addresses of the servers. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

export async function startServices(runs: readonly PlannedRun[]): Promise<Services> {
  const folder = await makeFolder({}, 'memory');
  const environment: Record<string, string> = { TEST_FOLDER: folder };
  const started: { stop(): Promise<void> }[] = [];
  let postgres: TestPostgres | null = null;
  if (runs.some((run) => run.needsPostgres)) {
    postgres = await startPostgres();
    environment.TEST_POSTGRES_URL = postgres.url('postgres');
    started.push(postgres);
  }
  Object.assign(environment, await makeMigrated(folder, postgres));
  if (runs.some((run) => run.needsS3)) {
    // Loaded only if needed, because it loads a web framework.
    const s3 =
      process.env.TEST_S3 === 'versitygw'
        ? await (await import('../../packages/server/test/s3-server.ts')).startS3()
        : await (await import('../../packages/server/test/s3rver.ts')).startS3rver();
    environment.TEST_S3_URL = s3.url;
    started.push(s3);
  }
  return {
    environment,
    stop: async () => {
      await Promise.all(started.map((service) => service.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
