import type { IncomingMessage } from 'node:http';
import type { Fetch } from '../fetch.ts';
import { builtin } from './builtin.ts';
import { openConnections } from './connections.ts';

const connections = openConnections();

/**
 * The part of `fetch` that a client needs, over node:http. Loading the global `fetch` takes as long as the
 * rest of a short command. Redirects are not followed. Rejects with the connection's error or the signal's
 * reason.
 */
export const httpFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const length = isWhole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const place = new URL(url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = connections
      .request(place, { method, headers: { ...headers, ...length }, signal })
      .on('response', resolve)
      .on('error', (error) => reject(connections.explain(place, error)));
    if (body === undefined || isWhole) sent.end(body);
    else {
      const { pipeline } = builtin('node:stream');
      pipeline(body instanceof Blob ? body.stream() : body, sent, (error) => error && reject(error));
    }
  });
  // Read in any case: an answer that nobody reads would keep its connection, and with it the process.
  const text = await textOf(answer);
  const { statusCode: status = 0 } = answer;
  return {
    status,
    ok: status >= 200 && status < 300,
    type: 'basic',
    headers: { get: (name) => answer.headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => text,
  };
};

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return text;
}
