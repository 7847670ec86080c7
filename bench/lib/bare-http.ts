import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { WebServer } from './nginx.ts';
import { end, freePort, start, untilAnswers } from './processes.ts';

/**
 * Starts bare `node:http` in a separate process. It answers every GET with the bytes of a file, from memory,
 * or with those of `other`, if given, for any path but `/`. A request with a body is refused, and its
 * connection is closed.
 */
export async function startBareHttp(
  bodyFile: string,
  otherFile = bodyFile,
): Promise<WebServer & { readonly pid: number; readonly startMs: number }> {
  const port = await freePort();
  const began = performance.now();
  const script = fileURLToPath(import.meta.url);
  const child = start('server', process.execPath, [script, bodyFile, otherFile, String(port)]);
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilAnswers(baseUrl, child);
  const startMs = performance.now() - began;
  return { baseUrl, pid: child.pid ?? 0, startMs, [Symbol.asyncDispose]: () => end(child) };
}

if (import.meta.main) {
  const [, , bodyFile = '', otherFile = '', port = '0'] = process.argv;
  const body = readFileSync(bodyFile);
  const other = otherFile === bodyFile ? body : readFileSync(otherFile);
  createServer(({ url, method }, response) => {
    if (method !== 'GET') {
      response.writeHead(401, { connection: 'close' });
      response.end();
      return;
    }
    const sent = url === '/' ? body : other;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': sent.length });
    response.end(sent);
  }).listen(Number(port), '127.0.0.1');
}
