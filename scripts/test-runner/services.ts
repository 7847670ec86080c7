import { rm } from 'node:fs/promises';
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts';
import { makeFolder } from '../../packages/server/test/postgres-binaries.ts';
import { makeMigrated } from '../../packages/server/test/prepared.ts';
import { startS3, withoutS3 } from '../../packages/server/test/s3-server.ts';
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
    const lacks = await withoutS3();
    if (lacks !== false) {
      console.log(`Tests keep files in a folder that should be in a bucket: ${lacks}.`);
      environment.TEST_S3 = 'none';
    } else {
      const s3 = await startS3();
      environment.TEST_S3_URL = s3.url;
      started.push(s3);
    }
  }
  return {
    environment,
    stop: async () => {
      await Promise.all(started.map((service) => service.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
