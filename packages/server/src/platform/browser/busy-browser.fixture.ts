import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openBrowserPool } from './pool.ts';

/**
 * For tests: a process whose browser has a page open that never stops. It prints a line once the page is
 * requested.
 */
const html = '<script>setTimeout(() => { for (;;); }, 100)</script>';
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end(html);
  console.log('opened');
});
server.listen(0, '127.0.0.1', () => {
  const pool = openBrowserPool({
    browser: process.argv[2] ?? 'auto',
    sandbox: true,
    seats: 1,
    maxMemoryBytes: 1536 * 1024 * 1024,
    allow: [],
    ownNames: ['localhost'],
    https: false,
    log: pino({ level: 'silent' }),
  });
  const { port } = server.address() as AddressInfo;
  void pool.visit(
    {
      url: 'http://a.localhost:3000/',
      mapped: { host: 'a.localhost:3000', port },
      staysOnHost: true,
      loadMs: 60_000,
      pictureMs: 60_000,
      afterMs: 0,
      watchMs: 0,
      clicksWhenBlank: false,
      readsDocuments: false,
      maxBytes: 1024 * 1024,
    },
    new AbortController().signal,
  );
});
