import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { askUntil } from './ask-until.ts';
import { rawRequest } from './raw-http.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { startService, type TestService } from './service.ts';

const onPostgres = process.env.TEST_ENGINE === 'postgres';
const skip = onPostgres ? false : 'SQLite serves one process; several are what PostgreSQL is for';
/**
 * The number of connections that a proxy holds. Half of them have no request under way when the signal comes.
 */
const connections = 32;

interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
}

/** Sends a request as a proxy does, on the agent's kept-alive connection. */
function ask(agent: Agent, port: number, host: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path, headers: { host } }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}

const sides = [
  { name: 'one process', environment: {}, skip: false },
  { name: 'two processes', environment: { PROCESSES: '2' }, skip },
] as const;

describe('SIGTERM to a process that has just become ready', () => {
  it('ends it in order', async () => {
    const test = await startService();
    await test.service.close();
    const server = await startServerProcess({ ...test.environment, PORT: '0' });
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    await test.restart();
    await test.close();
  });
});

for (const { name, environment, skip } of sides)
  describe(`SIGTERM to ${name} behind a proxy that keeps connections`, { skip }, () => {
    let test: TestService;
    let server: ServerProcess;
    before(async () => {
      test = await startService();
      await test.service.close();
      server = await startServerProcess({
        ...test.environment,
        PORT: '0',
        LOG_LEVEL: 'info',
        DRAIN_SECONDS: '60',
        ...environment,
      });
      server.child.stdout?.resume();
    });
    after(async () => {
      await server.end('SIGKILL');
      await test.restart();
      await test.close();
    });

    it('loses no request to the app or to content hosts, and ends once all connections were told to close', async () => {
      const { listeningPort: port } = server;
      const app = new URL(server.baseUrl).host;
      const hosts = [app, `nobody.play.${app}`];
      const proxy = Array.from({ length: connections }, (_, index) => ({
        agent: new Agent({ keepAlive: true, maxSockets: 1 }),
        host: hosts[index % hosts.length] ?? app,
        asksOn: index % 4 < 2,
      }));
      let isReady = true;
      const last = proxy.map(async ({ agent, host, asksOn }) => {
        const once = () => ask(agent, port, host, '/nothing');
        assert.notEqual((await once()).connection, 'close');
        return async () => {
          while (asksOn && isReady) if ((await once()).connection === 'close') return null;
          return once;
        };
      });
      const asking = (await Promise.all(last)).map((goOn) => goOn());
      server.child.kill('SIGTERM');
      // The readiness probe of a load balancer.
      const readyz = async () => (await rawRequest(port, `${server.baseUrl}/readyz`)).json();
      await askUntil(readyz, ({ status }) => {
        isReady = status === 'ok';
        return !isReady;
      });
      assert.equal((await readyz()).status, 'closing');
      assert.equal((await ask(new Agent(), port, app, '/nothing')).status, 404);
      // Connections that were not told to close yet get one more answer, which says `connection: close`.
      for (const once of await Promise.all(asking)) {
        if (once) assert.deepEqual(await once(), { status: 404, connection: 'close' });
      }
      for (const { agent } of proxy) agent.destroy();
      assert.deepEqual(await server.ended, { code: 0, signal: null });
    });
  });
