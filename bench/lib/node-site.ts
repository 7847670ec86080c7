import { join } from 'node:path';
import { openRoundRobin } from '../../packages/server/test/round-robin.ts';
import { startS3 } from '../../packages/server/test/s3-server.ts';
import { type DurablePostgres, startDurablePostgres } from './durable-postgres.ts';

/** The shared parts of a site with several nodes, and the settings of each node. */
export interface NodeSite extends AsyncDisposable {
  readonly postgres: DurablePostgres;
  /** Name of the S3 server. */
  readonly storeName: string;
  readonly proxy: Awaited<ReturnType<typeof openRoundRobin>>;
  readonly environment: Record<string, string> & { readonly BASE_URL: string; readonly DATA_DIR: string };
}

/** Opens a database, a store, and a proxy without nodes. */
export async function openNodeSite(folder: string): Promise<NodeSite> {
  await using parts = new AsyncDisposableStack();
  const postgres = parts.use(await startDurablePostgres('all'));
  const s3 = parts.adopt(await startS3(), (server) => server.stop());
  const proxy = parts.adopt(await openRoundRobin(), (open) => open.close());
  const environment = {
    DATABASE_URL: await postgres.createDatabase('nodes'),
    BLOB_STORE: s3.url,
    DATA_DIR: join(folder, 'data'),
    BROWSER: 'none',
    BASE_URL: `http://localhost:${proxy.port}`,
    PLAY_HOST: `play.localhost:${proxy.port}`,
    PREVIEW_HOST: `temp.localhost:${proxy.port}`,
  };
  const opened = parts.move();
  return {
    postgres,
    storeName: s3.name,
    proxy,
    environment,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
