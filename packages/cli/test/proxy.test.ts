import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createCertificate } from '../../server/src/platform/browser/certificate.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { fakeCli } from './fake-cli.ts';

const name = 'spaceport.test';

/** The name of the service has no address here: only the proxy knows where it is. */
describe('spaceport behind a proxy', () => {
  const fake = fakeCli();
  let asked: string[];
  let credentials: Set<string | undefined>;
  let refusal: string | null;
  let proxy: Server;
  let secure: Server;

  beforeEach(async () => {
    asked = [];
    credentials = new Set();
    refusal = null;
    const { certificate, key } = createCertificate([name]);
    fake.write('ca.pem', certificate);
    secure = createSecureServer({ cert: certificate, key }, forward);
    proxy = createServer((incoming, answer) => {
      note(`${incoming.method} ${incoming.url}`, incoming);
      forward(incoming, answer);
    }).on('connect', (incoming, socket) => {
      note(`CONNECT ${incoming.url}`, incoming);
      if (refusal !== null) return socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      const there = connect(portOf(secure), '127.0.0.1');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      for (const end of [there, socket]) end.on('error', () => {});
      there.pipe(socket).pipe(there);
    });
    for (const server of [secure, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const server of [secure, proxy]) server.close().closeAllConnections();
  });

  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const proxyAddress = () => `http://ada:s%40cret@127.0.0.1:${portOf(proxy)}`;

  function note(what: string, { headers }: IncomingMessage): void {
    asked.push(what);
    credentials.add(headers['proxy-authorization']);
  }

  let behind: string;
  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const { pathname, search } = new URL(incoming.url ?? '', `https://${name}`);
    const { method, headers } = incoming;
    const onward = request(`${behind}${pathname}${search}`, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(onward);
  }

  /** Publishes to the service by its name. */
  function publish(scheme: 'http' | 'https', more: Record<string, string> = {}) {
    behind = fake.service.baseUrl;
    // The links to uploads have the name as well.
    fake.service.baseUrl = `${scheme}://${name}`;
    fake.useSettings();
    const env = {
      SPACEPORT_SERVER: fake.service.baseUrl,
      SPACEPORT_TOKEN: fake.service.token,
      [`${scheme}_proxy`]: proxyAddress(),
      NODE_EXTRA_CA_CERTS: fake.at('ca.pem'),
      ...more,
    };
    return fake.cliProcess(['publish', 'game', '--live', '--json'], { env });
  }

  it('publishes over https through tunnels that are kept', async () => {
    const { code, stdout, stderr } = await publish('https');
    assert.equal(code, 0, stdout + stderr);
    assert.equal(JSON.parse(stdout).uploaded.files, 2);
    assert.deepEqual(new Set(asked), new Set([`CONNECT ${name}:443`]));
    // One for the calls, and one for each of the two uploads at most.
    assert.ok(asked.length <= 3, String(asked));
    assert.deepEqual([...credentials], [`Basic ${Buffer.from('ada:s@cret').toString('base64')}`]);
  });

  it('publishes over http by whole addresses', async () => {
    const { code, stdout, stderr } = await publish('http');
    assert.equal(code, 0, stdout + stderr);
    assert.ok(asked.includes(`POST http://${name}/api/v1/hosting/versions`), String(asked));
    assert.deepEqual([...credentials], [`Basic ${Buffer.from('ada:s@cret').toString('base64')}`]);
  });

  it('takes a password with a percent sign as it is', async () => {
    const { code, stdout } = await publish('http', {
      http_proxy: proxyAddress().replace('s%40cret', '100%'),
    });
    assert.equal(code, 0, stdout);
    assert.deepEqual([...credentials], [`Basic ${Buffer.from('ada:100%').toString('base64')}`]);
  });

  it('says what a proxy answers that opens no tunnel, and which variable is wrong', async () => {
    refusal = '407 Proxy Authentication Required';
    const { code, stdout } = await publish('https');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code], [exitCodes.unavailable, 'no_answer']);
    assert.match(error.message, /the proxy 127\.0\.0\.1:\d+ answered 407 Proxy Authentication Required$/u);
    assert.match(error.next, /^Put a name .* into https_proxy, .* without it: NO_PROXY=spaceport\.test$/u);

    const gone = await publish('https', { https_proxy: 'http://127.0.0.1:1' });
    assert.match(JSON.parse(gone.stdout).error.message, /the proxy 127\.0\.0\.1:1: connect ECONNREFUSED/u);
    assert.match(JSON.parse(gone.stdout).error.next, /^Correct https_proxy, which names it; or ask /u);
    const odd = await publish('https', { https_proxy: 'socks5://127.0.0.1:1080' });
    assert.match(JSON.parse(odd.stdout).error.message, /https_proxy is not the address of an HTTP proxy/u);
  });

  it('names a proxy that does not answer, also for http, without its password', async () => {
    for (const scheme of ['http', 'https'] as const) {
      // Two addresses, so that Node has one error for each.
      const { code, stdout, stderr } = await publish(scheme, {
        [`${scheme}_proxy`]: 'http://ada:s%40cret@localhost:1',
      });
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.code], [exitCodes.unavailable, 'no_answer']);
      const said =
        /^No answer from https?:\/\/spaceport\.test: the proxy localhost:1: connect ECONNREFUSED /u;
      assert.match(error.message, said);
      assert.ok(error.next.startsWith(`Correct ${scheme}_proxy, which names it; or ask ${name} without it`));
      assert.doesNotMatch(stdout + stderr, /cret/u);
    }
  });

  it('ends an upload of which nothing moves any more in the tunnel', async () => {
    // It takes what is sent, and answers nothing.
    secure.removeAllListeners('request');
    const uploads = new URL('../../client/src/node/http-upload.ts', import.meta.url);
    const code = `
      const { httpUploads } = await import('${uploads}');
      const open = async () => new Uint8Array(9);
      const file = { path: 'a', size: 9, sha256: '', open };
      await httpUploads({ idleMs: 300 })({ url: 'https://${name}/a', file, onBytes() {} }).catch((error) => {
        console.log(error.message);
        process.exit();
      });`;
    const { PATH = '' } = process.env;
    const env = { PATH, https_proxy: proxyAddress(), NODE_EXTRA_CA_CERTS: fake.at('ca.pem') };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      env,
      timeout: 30_000,
    });
    assert.equal(stdout, `No answer from ${name}: nothing moved for 0.3 seconds\n`);
  });

  it('asks a proxy by http for what it wants', async () => {
    const wants = createServer((_incoming, answer) => answer.writeHead(407).end('<h1>Who?</h1>'));
    await once(wants.listen(0, '127.0.0.1'), 'listening');
    const { stdout } = await publish('http', { http_proxy: `http://127.0.0.1:${portOf(wants)}` });
    wants.close();
    assert.match(JSON.parse(stdout).error.next, /^Put a name and a password for it into HTTP_PROXY/u);
  });
});
