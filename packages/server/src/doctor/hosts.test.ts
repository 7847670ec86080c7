import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import tls from 'node:tls';
import { startService } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { createCertificate } from '../platform/browser/certificate.ts';
import { noSuchRoom } from '../rooms/refuse-upgrade.ts';
import { lookAtHosts } from './look-at-hosts.ts';

const dayMs = 86_400_000;

/** Answers as a Spaceport does: its own health, and 404 for unknown spaces and rooms. */
const asSpaceport: RequestListener = ({ url, headers }, response) => {
  response.writeHead(url === '/healthz' ? 200 : 404, { 'x-request-id': '1' });
  response.end(headers.upgrade === 'websocket' ? noSuchRoom : '');
};

/** The settings of a service whose three hosts all lead to a server of the test. */
async function configOf(
  context: TestContext,
  answer: RequestListener,
  isSecure = false,
  TRUST_PROXY = isSecure ? '1' : 'false',
) {
  const pair = createCertificate(['localhost', 'play.localhost', 'temp.localhost']);
  const server = isSecure
    ? createSecureServer({ cert: pair.certificate, key: pair.key }, answer)
    : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const scheme = isSecure ? 'https' : 'http';
  const config = readConfig({
    TRUST_PROXY,
    BASE_URL: `${scheme}://localhost:${port}`,
    PLAY_HOST: `play.localhost:${port}`,
    PREVIEW_HOST: `temp.localhost:${port}`,
  });
  return { config, certificate: pair.certificate };
}

const states = (findings: Awaited<ReturnType<typeof lookAtHosts>>) =>
  findings.map(({ about, state }) => `${about}: ${state}`);

const allWell = ['app_host: ok', 'play_hosts: ok', 'preview_hosts: ok', 'certificates: ok'];

describe('the doctor’s check of the hosts', () => {
  it('finds nothing wrong when all of them lead to the service', async (context) => {
    const { config } = await configOf(context, asSpaceport);
    assert.deepEqual(states(await lookAtHosts(config, Date.now())), allWell);
  });

  it('asks for names of spaces that do not exist', async (context) => {
    const asked: string[] = [];
    const { config } = await configOf(context, (request, response) => {
      asked.push(request.headers.host ?? '');
      asSpaceport(request, response);
    });
    await lookAtHosts(config, Date.now());
    const labels = asked.map((host) => host.replace(/[0-9a-f]{24}/u, 'X').replace(/:\d+$/u, ''));
    assert.deepEqual([...new Set(labels)].sort(), [
      'doctor-X.play.localhost',
      'doctor-X.temp.localhost',
      'localhost',
    ]);
  });

  it('names the missing DNS records', async () => {
    const config = readConfig({
      BASE_URL: 'http://app.invalid',
      PLAY_HOST: 'play.invalid:8080',
      PREVIEW_HOST: 'temp.invalid',
    });
    const findings = await lookAtHosts(config, Date.now());
    for (const [index, record] of ['app.invalid', '*.play.invalid', '*.temp.invalid'].entries()) {
      assert.equal(findings[index]?.state, 'wrong');
      assert.ok(findings[index]?.advice?.includes(`Point ${record} at`), findings[index]?.advice ?? '');
    }
    assert.equal(findings[3]?.state, 'warning', 'plain http, and not on this machine');
  });

  for (const [what, answer, expected] of [
    ['a proxy that changes Host', { status: 421, id: '1' }, /pass it on unchanged/u],
    ['a proxy without a node', { status: 502 }, /check \/readyz/u],
    ['another program', { status: 200 }, /Something else answers/u],
    ['the app where spaces should be', { status: 200, id: '1' }, /Check PLAY_HOST/u],
  ] as const) {
    it(`finds what is wrong behind ${what}`, async (context) => {
      const { config } = await configOf(context, (_request, response) => {
        const headers = 'id' in answer ? { 'x-request-id': answer.id } : {};
        response.writeHead(answer.status, headers).end();
      });
      const play = (await lookAtHosts(config, Date.now()))[1];
      assert.equal(play?.state, 'wrong');
      assert.match(play?.advice ?? '', expected);
    });
  }

  it('reports hosts where nothing listens', async (context) => {
    const { config } = await configOf(context, asSpaceport);
    const url = new URL(config.BASE_URL);
    url.port = '1';
    const [app] = await lookAtHosts({ ...config, BASE_URL: url.origin }, Date.now());
    assert.equal(app?.state, 'wrong');
    assert.match(
      app?.advice ?? '',
      /Check that localhost points to this service's proxy in the DNS .* firewall/u,
    );
  });

  it('reports certificates that are not trusted or expire soon', async (context) => {
    const { config, certificate } = await configOf(context, asSpaceport, true);
    const refused = await lookAtHosts(config, Date.now());
    assert.deepEqual(states(refused), [...allWell.slice(0, 3), 'certificates: wrong']);
    assert.match(refused[3]?.said ?? '', /\*\.play\.localhost: .*self.signed/iu);

    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([certificate]);
    context.after(() => tls.setDefaultCACertificates(before));
    assert.deepEqual(states(await lookAtHosts(config, Date.now())), allWell);
    const late = await lookAtHosts(config, Date.now() + 3_640 * dayMs);
    assert.equal(late[3]?.state, 'warning');
    assert.match(late[3]?.advice ?? '', /renew/u);
  });

  it('reports a proxy that passes no WebSockets on', async (context) => {
    const service = await startService({ role: 'serve' });
    context.after(() => service.close());
    const passed = readConfig(service.environment);
    assert.equal((await lookAtHosts(passed, Date.now()))[0]?.state, 'ok');
    const { config } = await configOf(context, ({ url, headers }, response) => {
      // As proxies do by default, it leaves out the headers that are about the connection.
      const kept = { host: new URL(service.baseUrl).host, 'x-forwarded-host': headers.host };
      get({ port: service.port, path: url, headers: kept }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
    });
    const [app] = await lookAtHosts(config, Date.now());
    assert.equal(app?.state, 'warning');
    assert.match(app?.said ?? '', /players cannot enter rooms/u);
    assert.match(app?.advice ?? '', /pass on Upgrade and Connection/u);
  });

  it('reports a proxy that no setting names: https is not the service’s own', async (context) => {
    const { config } = await configOf(context, asSpaceport, true, 'false');
    const [app, ...others] = await lookAtHosts(config, Date.now());
    assert.equal(app?.state, 'warning');
    assert.match(app?.advice ?? '', /Set TRUST_PROXY/u);
    assert.deepEqual(states(others).slice(0, 2), allWell.slice(1, 3));
  });
});
