import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { WebServer } from './nginx.ts';
import { end, freePort, start, untilAnswers } from './processes.ts';

/** `node:http` and nothing else, in a process of its own: answers every request with the bytes of a file, from memory. */
export async function startBareHttp(
  bodyFile: string,
): Promise<WebServer & { readonly pid: number; readonly startMs: number }> {
  const port = await freePort();
  const began = performance.now();
  const child = start('server', process.execPath, [fileURLToPath(import.meta.url), bodyFile, String(port)]);
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilAnswers(baseUrl, child);
  const startMs = performance.now() - began;
  return { baseUrl, pid: child.pid ?? 0, startMs, [Symbol.asyncDispose]: () => end(child) };
}

if (import.meta.main) {
  const [, , bodyFile = '', port = '0'] = process.argv;
  const body = readFileSync(bodyFile);
  createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }).listen(Number(port), '127.0.0.1');
}
