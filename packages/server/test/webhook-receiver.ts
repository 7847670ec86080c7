import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received event. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: an event is looked into as the test that caused it knows it
  readonly event: any;
}

/** A webhook server on loopback, which records the events in order. */
export interface Receiver {
  /** The address for FETCH_ALLOW. */
  readonly address: string;
  url(path: string): string;
  received(path: string): Received[];
  /** Sets the answer of a path, given after the event was read. Other paths answer 200 «ok». */
  answer(path: string, how: (response: ServerResponse, got: Received) => void): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  const answers = new Map<string, Parameters<Receiver['answer']>[1]>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await text(request);
    assert.equal(request.method, 'POST');
    const got: Received = { path, headers: request.headers, body, event: JSON.parse(body) };
    all.push(got);
    const how = answers.get(path);
    if (how) how(response, got);
    else response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: (path) => `http://${address}${path}`,
    received: (path) => all.filter((got) => got.path === path),
    answer: (path, how) => void answers.set(path, how),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns whether an event is signed with this key, by the specification of Standard Webhooks 1.0. */
export function isSigned({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/u);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
