/** The part of `fetch` that a client uses, so that a lighter implementation can replace it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** A body of bytes. A stream can be sent only once. */
export type BytesBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;

export interface FetchInit {
  readonly method: string;
  /** Header names are in lower case. */
  readonly headers: Record<string, string>;
  readonly body?: string | BytesBody;
  /** Required for a streamed body. */
  readonly duplex?: 'half';
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly ok: boolean;
  /** `opaqueredirect` if a browser hides a redirect. */
  readonly type: string;
  readonly headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}
