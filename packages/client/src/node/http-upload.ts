import { setMaxListeners } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ConnectionError, readApiError } from '../api-error.ts';
import { meaningOf } from '../error-meanings.ts';
import {
  type FileBody,
  FileChangedError,
  type SourceFile,
  type UploadRequest,
  type UploadTransport,
} from '../source.ts';
import { release } from './release.ts';

/** An answer to an upload is a line of JSON; anything longer is not read. */
const maxAnswerBytes = 64 * 1024;
/** An upload without progress for this long is aborted; the pool tries again. */
const idleMs = 60_000;

export interface HttpUploadOptions {
  readonly maxSockets?: number;
  /**
   * True if `open` reads the file each time, as a folder's files do. Then the bytes are freed once they are
   * sent.
   */
  readonly ownsBodies?: boolean;
}

/**
 * Returns an upload transport over node:http with kept-alive connections. Node's `fetch` takes about three
 * times as much CPU time for a small request, and that time is most of the cost of publishing thousands of
 * files.
 */
export function httpUploads(options: HttpUploadOptions = {}): UploadTransport & { close(): void } {
  const agentOptions = { keepAlive: true, maxSockets: options.maxSockets ?? 16, timeout: idleMs };
  // Not imported: an import reads all exports of node:http, and one of them loads the global fetch.
  const http = process.getBuiltinModule('node:http');
  const https = process.getBuiltinModule('node:https');
  const plain = new http.Agent(agentOptions);
  const secure = new https.Agent(agentOptions);
  const upload = async (request: UploadRequest) => {
    const url = new URL(request.url);
    const body = await request.file.open();
    request.signal?.throwIfAborted();
    // All uploads under way listen to one signal, and Node would warn of so many listeners.
    if (request.signal) setMaxListeners(0, request.signal);
    if (body instanceof Uint8Array && body.byteLength !== request.file.size) {
      throw new FileChangedError(request.file.path);
    }
    const outgoing =
      url.protocol === 'https:'
        ? https.request(url, { ...requestOptions(request), agent: secure })
        : http.request(url, { ...requestOptions(request), agent: plain });
    await exchange(outgoing, body, request);
    if (options.ownsBodies && body instanceof Uint8Array) release(body);
  };
  return Object.assign(upload, {
    close() {
      plain.destroy();
      secure.destroy();
    },
  });
}

function requestOptions({ file, signal }: UploadRequest) {
  return {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': file.size },
    ...(signal && { signal }),
  };
}

function exchange(outgoing: ClientRequest, body: FileBody, { file, signal, onBytes }: UploadRequest) {
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      outgoing.destroy();
      reject(signal?.aborted ? signal.reason : error);
    };
    let answered = false;
    outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing moved for ${idleMs / 1_000} seconds`)));
    outgoing.on('error', (error) => {
      // A service that refuses an upload answers and closes before it has read the body. Then the answer
      // counts, not the error.
      if (!answered) fail(new ConnectionError(outgoing.host, error));
    });
    outgoing.on('response', (answer) => {
      answered = true;
      readText(answer).then((text) => {
        if (answer.statusCode === 200) {
          if (body instanceof Uint8Array) onBytes(file.size);
          return resolve();
        }
        const header = (name: string) => String(answer.headers[name] ?? '') || null;
        fail(readApiError({ status: answer.statusCode ?? 0, header, text }, meaningOf));
      }, fail);
    });
    if (body instanceof Uint8Array) outgoing.end(body);
    else sendStream(outgoing, body, file, onBytes).catch((error: unknown) => !answered && fail(error));
  });
}

/**
 * Writes with back-pressure. A body of another length than declared would corrupt the connection, so it
 * fails.
 */
async function sendStream(
  outgoing: ClientRequest,
  body: Exclude<FileBody, Uint8Array>,
  file: SourceFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // Node's web streams are async iterable, as the type of `Blob.stream` says.
  const chunks = body instanceof Blob ? Readable.from(body.stream()) : body;
  let sent = 0;
  for await (const chunk of chunks) {
    if (outgoing.destroyed) return;
    sent += chunk.byteLength;
    if (sent > file.size) break;
    if (!outgoing.write(chunk)) await drained(outgoing);
    onBytes(chunk.byteLength);
  }
  if (sent !== file.size) throw new FileChangedError(file.path);
  outgoing.end();
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    // A response without an encoding has Buffers as chunks.
    const buffer = chunk as Buffer;
    bytes += buffer.byteLength;
    if (bytes <= maxAnswerBytes) chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
