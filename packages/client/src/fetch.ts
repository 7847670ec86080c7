/** What a client uses of `fetch`, so that something lighter may take its place. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** Bytes: those that come one by one can be sent once. */
export type BytesBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;

export interface FetchInit {
  readonly method: string;
  /** By name in lower case. */
  readonly headers: Record<string, string>;
  readonly body?: string | BytesBody;
  /** Of a body that is read as it is sent. */
  readonly duplex?: 'half';
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly ok: boolean;
  /** `opaqueredirect` if a browser does not tell what a redirect says. */
  readonly type: string;
  readonly headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}
