import { type IncomingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  text(): string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape.
  json(): any;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/**
 * Makes one request to a loopback port with any Host, because no resolver knows the names of content hosts.
 * It never follows redirects and never decodes.
 */
export function rawRequest(
  port: number,
  url: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: pathname + search,
        headers: { host, connection: 'close', ...lengthOf(body, headers), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const whole = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: whole,
            text: () => whole.toString(),
            json: () => JSON.parse(whole.toString()),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Returns a Content-Length. Node sends none for the body of a DELETE, and the server would read it as the
 * next request.
 */
function lengthOf(body: RawRequest['body'], headers: Record<string, string>): Record<string, string> {
  if (body === undefined || 'transfer-encoding' in headers) return {};
  return { 'content-length': String(Buffer.byteLength(body)) };
}
