import { ConnectionError, readApiError } from './api-error.ts';
import { meaningOf } from './error-meanings.ts';
import { fetchUploads, isReadable } from './fetch-upload.ts';
import { FileChangedError, type UploadRequest, type UploadTransport } from './source.ts';

/** An upload without progress for this long is aborted; the pool tries again. */
const idleMs = 60_000;

/** Up to this size a file is sent with fetch; see `browserUploads`. */
const smallBytes = 1024 * 1024;

/**
 * Returns the upload transport for browsers. Only `XMLHttpRequest` reports the progress of a request body,
 * but for thousands of small files it takes three times as long as `fetch` (42 s against 13 s for 2,000
 * files). So small files use `fetch` and large ones `XMLHttpRequest`. The source's files must open as bytes
 * or blobs, as they do in browsers.
 */
export function browserUploads(): UploadTransport {
  const small = fetchUploads();
  return (request) => (request.file.size <= smallBytes ? small(request) : sendLarge(request));
}

async function sendLarge(request: UploadRequest): Promise<void> {
  const body = await request.file.open();
  if (!(body instanceof Blob) && !(body instanceof Uint8Array)) {
    throw new TypeError('a stream is no body of an XMLHttpRequest');
  }
  request.signal?.throwIfAborted();
  if ((body instanceof Blob ? body.size : body.byteLength) !== request.file.size) {
    throw new FileChangedError(request.file.path);
  }
  try {
    await send(request, body);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!(await isReadable(body))) throw new FileChangedError(request.file.path);
    throw error;
  }
}

function send({ url, file, signal, onBytes }: UploadRequest, body: Blob | Uint8Array<ArrayBuffer>) {
  return new Promise<void>((resolve, reject) => {
    const call = new XMLHttpRequest();
    let told = 0;
    const tell = (bytes: number) => {
      onBytes(bytes - told);
      told = bytes;
    };
    let idle: ReturnType<typeof setTimeout> | undefined;
    const stillMoving = () => {
      clearTimeout(idle);
      idle = setTimeout(() => fail(new Error(`nothing moved for ${idleMs / 1_000} seconds`)), idleMs);
    };
    const end = () => {
      clearTimeout(idle);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (cause: unknown) => {
      end();
      call.abort();
      reject(new ConnectionError(new URL(url).host, cause));
    };
    const onAbort = () => {
      end();
      call.abort();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    call.upload.onprogress = ({ loaded }) => {
      stillMoving();
      tell(Math.min(loaded, file.size));
    };
    call.onerror = () => fail(new Error('the connection failed'));
    call.onload = () => {
      end();
      if (call.status === 200) {
        tell(file.size);
        return resolve();
      }
      const header = (name: string) => call.getResponseHeader(name);
      reject(readApiError({ status: call.status, header, text: call.responseText }, meaningOf));
    };
    call.open('PUT', url);
    call.setRequestHeader('content-type', 'application/octet-stream');
    stillMoving();
    call.send(body);
  });
}
