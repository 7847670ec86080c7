import { ConnectionError, readApiError } from './api-error.ts';
import { meaningOf } from './error-meanings.ts';
import { sendingMs } from './sending-time.ts';
import { type FileBody, FileChangedError, type UploadRequest, type UploadTransport } from './source.ts';

/** Longest wait for an answer, besides the time that the bytes take at the slowest speed that services accept. */
const longestWaitMs = 60_000;

/**
 * Returns an upload transport over `fetch`, for browsers. It reports progress per file, because fetch does
 * not report the progress of a request body. In Node, `httpUploads` is several times faster for many small
 * files.
 */
export function fetchUploads(
  fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args),
): UploadTransport {
  return async ({ url, file, signal, onBytes }: UploadRequest) => {
    const body = await file.open();
    // A connection may break without a word, as when the computer sleeps. The pool tries again.
    const late = new AbortController();
    const limitMs = longestWaitMs + sendingMs(file.size);
    const timer = setTimeout(() => late.abort(new Error(`no answer in ${limitMs} ms`)), limitMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        credentials: 'omit',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        ...bodyInit(body),
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(await isReadable(body))) throw new FileChangedError(file.path);
      throw new ConnectionError(new URL(url).host, error);
    } finally {
      clearTimeout(timer);
    }
    if (!response.ok) {
      throw readApiError(
        { status: response.status, header: (name) => response.headers.get(name), text },
        meaningOf,
      );
    }
    onBytes(file.size);
  };
}

/** Returns false for a file that was changed after it was chosen: browsers do not read it any more. */
export async function isReadable(body: FileBody): Promise<boolean> {
  if (!(body instanceof Blob)) return true;
  return body
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

function bodyInit(body: FileBody): RequestInit {
  if (body instanceof Uint8Array || body instanceof Blob) return { body };
  const iterator = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  // `duplex` is required for stream bodies and missing from the DOM types.
  return { body: stream, duplex: 'half' } as RequestInit;
}
