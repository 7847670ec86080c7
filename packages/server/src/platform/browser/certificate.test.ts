import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createSecureContext } from 'node:tls';
import { pino } from 'pino';
import { browserSetting } from '../../../test/browser.ts';
import { createCertificate, type OwnCertificate } from './certificate.ts';
import { type BrowserPool, openBrowserPool } from './pool.ts';

const never = new AbortController().signal;

it('a created certificate can be read by other parsers', () => {
  const { certificate, key } = createCertificate(['play.example.org']);
  const read = new X509Certificate(certificate);
  assert.equal(read.checkHost('game.play.example.org'), '*.play.example.org');
  assert.equal(read.checkHost('example.org'), undefined);
  assert.ok(read.verify(read.publicKey));
  assert.match(key, /PRIVATE KEY/u);
});

it('a created certificate is accepted by TLS, whatever the length of its signature', () => {
  for (let length = 1; length <= 48; length++) {
    const { certificate, key } = createCertificate([`${'a'.repeat(length)}.example.org`]);
    assert.ok(createSecureContext({ cert: certificate, key }));
  }
});

describe('content over https', () => {
  const servers: Server[] = [];
  let stranger: number;
  let pool: BrowserPool;
  before(async () => {
    stranger = await serve(createCertificate(['127.0.0.1']), 'stranger');
    pool = openBrowserPool({
      browser: browserSetting(),
      sandbox: true,
      seats: 1,
      maxMemoryBytes: 1536 * 1024 * 1024,
      allow: [`127.0.0.1:${stranger}`],
      ownNames: ['play.example.org'],
      https: true,
      log: pino({ level: 'silent' }),
    });
  });
  after(async () => {
    await pool.close();
    for (const server of servers) server.close();
  });

  async function serve({ certificate, key }: OwnCertificate, body: string): Promise<number> {
    const server = createServer({ cert: certificate, key }, (_request, response) =>
      response.setHeader('content-type', 'text/html').end(body),
    );
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('is shown at its own origin to browsers of this pool, which trust no other server for it', async () => {
    assert.ok(pool.certificate);
    const port = await serve(
      pool.certificate,
      `<body style="height:100vh;background:linear-gradient(teal,navy)"><script>
        console.error(location.origin, isSecureContext);
        for (const url of ['https://127.0.0.1:${stranger}/', 'http://cdn.example.net/mixed.js']) {
          document.body.append(Object.assign(document.createElement('script'), { src: url }));
        }
      </script>`,
    );
    const visit = await pool.visit(
      {
        url: 'https://game.play.example.org/',
        mapped: { host: 'game.play.example.org', port },
        staysOnHost: true,
        loadMs: 15_000,
        pictureMs: 5_000,
        afterMs: 0,
        watchMs: 500,
        clicksWhenBlank: false,
        readsDocuments: false,
        maxBytes: 1024 * 1024,
      },
      never,
    );
    assert.deepEqual([visit.end, visit.status], ['seen', 200], visit.detail ?? '');
    assert.equal(visit.consoleErrors[0]?.message, 'https://game.play.example.org true');
    const reasons = visit.failedRequests
      .map(({ url, reason }) => `${new URL(url).hostname} ${reason}`)
      .sort();
    assert.deepEqual(reasons, ['127.0.0.1 net::ERR_CERT_AUTHORITY_INVALID', 'cdn.example.net mixed-content']);
  });
});
