import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, request } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { signIn } from '@spaceport/contract/sign-in';
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

/** Kills what is left of the process group that npm leads. Returns whether anything was. */
function killGroup({ child: { pid = 0 } }: ServerProcess): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** A module that makes the program print its process id and each SIGINT that it gets; npm does not. */
const tellsSignals = `data:text/javascript,${encodeURIComponent(`
  if (process.argv[1].endsWith('spaceport-server.mjs')) {
    console.log('pid', process.pid);
    process.on('SIGINT', (name) => console.log(name));
  }`)}`;

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

describe('SIGHUP, SIGUSR1 and SIGUSR2', () => {
  let test: TestService;
  before(async () => {
    test = await startService();
    await test.service.close();
  });
  after(async () => {
    await test.restart();
    await test.close();
  });

  for (const { name, environment, skip } of sides) {
    it(`of a terminal that closes ends it in order (${name})`, { skip }, async () => {
      const server = await startServerProcess({ ...test.environment, ...environment, PORT: '0' });
      server.child.kill('SIGHUP');
      assert.deepEqual(await server.ended, { code: 0, signal: null });
    });

    it(`of a log rotation do nothing (${name})`, { skip }, async () => {
      const heard = new EventEmitter();
      const server = await startServerProcess(
        { ...test.environment, ...environment, PORT: '0' },
        { onLine: (line) => line.includes('passed over') && heard.emit(JSON.parse(line).signal) },
      );
      let errors = '';
      server.child.stderr?.on('data', (data) => {
        errors += data;
      });
      for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
        const answer = once(heard, signal);
        server.child.kill(signal);
        await answer;
      }
      assert.equal((await rawRequest(server.listeningPort, `${server.baseUrl}/healthz`)).status, 200);
      assert.doesNotMatch(errors, /Debugger/u);
      await server.end();
    });
  }
});

describe('npm start', () => {
  let test: TestService;
  let server: ServerProcess;
  /** The lines that the module adds to the output. */
  let told: EventEmitter;
  let pid: number;
  beforeEach(async () => {
    test = await startService();
    await test.service.close();
    told = new EventEmitter();
    told.once('pid', (id: string) => {
      pid = Number(id);
    });
    const settings = { ...test.environment, PORT: '0', NODE_OPTIONS: `--import ${tellsSignals}` };
    server = await startServerProcess(settings, {
      npmStart: true,
      onLine: (line) => told.emit(...(line.split(' ') as [string])),
    });
  });
  afterEach(async () => {
    killGroup(server);
    await test.restart();
    await test.close();
  });

  it('ends the server in order when npm gets SIGTERM', async () => {
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(killGroup(server), false);
  });

  it('ends the server in order at one Ctrl-C, which it gets from the terminal and from npm', async () => {
    const { method, path } = signIn;
    const { host } = new URL(server.baseUrl);
    const begun = request({
      port: server.listeningPort,
      host: '127.0.0.1',
      method,
      path,
      headers: {
        host,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        'content-length': 2,
        expect: '100-continue',
      },
    });
    begun.flushHeaders();
    await once(begun, 'continue');
    for (const receiver of [pid, server.child.pid ?? 0]) {
      const isTold = once(told, 'SIGINT');
      process.kill(receiver, 'SIGINT');
      await isTold;
    }
    begun.end('{}');
    const [answer] = await once(begun, 'response');
    assert.equal(answer.resume().statusCode, 422);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(killGroup(server), false);
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
