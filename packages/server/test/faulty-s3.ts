import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A fault of a request to the store. */
export type Fault =
  /**
   * The store is not asked, and an error is answered: 503 `SlowDown`, or an error in a 200, as AWS does for
   * long calls.
   */
  | { readonly is: 'refused'; readonly status: 200 | 500 | 503 }
  /** The store is not asked, and a proxy in front of it answers with a page. */
  | { readonly is: 'a page' }
  /** The store is not asked, and nothing is answered. */
  | { readonly is: 'silent' }
  /** The store executes the request, and its answer is lost. */
  | { readonly is: 'lost' }
  /** The connection ends after this many bytes of the answer. */
  | { readonly is: 'cut'; readonly afterBytes: number }
  /** One byte of the answer is changed. */
  | { readonly is: 'answered wrong' }
  /** One byte of the request's body is changed. */
  | { readonly is: 'sent wrong' }
  /** A range request is answered with these bytes, as if it were for the whole object. */
  | { readonly is: 'whole'; readonly bytes: Uint8Array };

/** A request as the store would see it. */
export interface Asked {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
}

/** A proxy in front of an S3 server that adds faults. */
export interface FaultyS3 {
  readonly endpoint: string;
  readonly asked: readonly Asked[];
  /** Adds a fault to the next `times` matching requests. */
  spoil(fault: Fault, isMeant?: (asked: Asked) => boolean, times?: number): void;
  /** Ends all faults. */
  mend(): void;
  close(): Promise<void>;
}

export async function openFaultyS3(target: string): Promise<FaultyS3> {
  const { hostname, port } = new URL(target);
  const asked: Asked[] = [];
  const plans: { fault: Fault; isMeant: (asked: Asked) => boolean; left: number }[] = [];

  function faultOf(one: Asked): Fault | null {
    const plan = plans.find(({ left, isMeant }) => left > 0 && isMeant(one));
    if (!plan) return null;
    plan.left--;
    return plan.fault;
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = { method: incoming.method ?? '', path: incoming.url ?? '' };
    asked.push(one);
    const fault = faultOf(one);
    if (fault?.is === 'silent') return;
    if (fault?.is === 'refused') return refuse(incoming, response, fault.status);
    if (fault?.is === 'a page') {
      await incoming.resume().toArray();
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    }
    if (fault?.is === 'whole')
      return void response.writeHead(200, { 'content-length': fault.bytes.length }).end(fault.bytes);
    const headers = { ...incoming.headers };
    // The body is forwarded without `100 Continue`.
    delete headers.expect;
    const { method } = one;
    const passed = request({ hostname, port, method, path: one.path, headers, agent: false });
    const [[answered]] = await Promise.all([
      once(passed, 'response') as Promise<[IncomingMessage]>,
      pipeline(incoming, ...(fault?.is === 'sent wrong' ? [oneByteWrong()] : []), passed),
    ]);
    if (fault?.is === 'lost') {
      await answered.resume().toArray();
      response.destroy();
      return;
    }
    response.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
    if (fault?.is === 'cut') {
      for await (const chunk of answered) {
        await new Promise((sent) => response.write(chunk.subarray(0, fault.afterBytes), sent));
        break;
      }
      response.destroy();
      return;
    }
    await pipeline(answered, ...(fault?.is === 'answered wrong' ? [oneByteWrong()] : []), response);
  }

  const server = createServer((incoming, response) => {
    // The client may have given up, or the store may have refused the body and closed.
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    spoil: (fault, isMeant = () => true, times = Number.POSITIVE_INFINITY) =>
      plans.push({ fault, isMeant, left: times }),
    mend: () => {
      plans.length = 0;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function refuse(
  incoming: IncomingMessage,
  response: ServerResponse,
  status: 200 | 500 | 503,
): Promise<void> {
  await incoming.resume().toArray();
  const code = status === 503 ? 'SlowDown' : 'InternalError';
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

function oneByteWrong(): Transform {
  let isDone = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, passOn) {
      if (isDone || chunk.length === 0) return passOn(null, chunk);
      isDone = true;
      const other = Buffer.from(chunk);
      other.writeUInt8(other.readUInt8(0) ^ 1, 0);
      passOn(null, other);
    },
  });
}
