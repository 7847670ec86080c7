import { ConnectionError, readApiError } from './api-error.ts';
import { meaningOf } from './error-meanings.ts';
import type { FileBody, UploadRequest, UploadTransport } from './source.ts';

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
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        credentials: 'omit',
        signal: signal ?? null,
        ...bodyInit(body),
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConnectionError(new URL(url).host, error);
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
