import { createHash } from 'node:crypto';
import { codingFor, type DocumentCoding, encode } from '../pages/compress.ts';
import { KeptHead } from '../platform/http/kept-head.ts';
import { listedIn } from '../serving/etags.ts';

type Headers = Readonly<Record<string, string>>;

/** A response in one of its codings, ready to be sent. */
export interface Form {
  readonly body: Buffer | string;
  readonly bytes: number;
  readonly etag: string;
  /** All headers except the request's id. */
  readonly headers: Headers;
  readonly head: KeptHead;
  /** The headers of a 304. */
  readonly notModified: readonly string[];
}

/**
 * A response with status 200. Its compressed forms are made when they are first requested. A body that is sent
 * once may be text: bytes outside V8's heap make it collect sooner.
 */
export class StoredAnswer {
  /** The router's pattern. */
  readonly route: string;
  readonly path: string;
  readonly #headers: Headers;
  readonly #tag: string;
  readonly #compressible: boolean;
  readonly #identity: Form;
  readonly #forms = new Map<DocumentCoding, Form | Promise<Form>>();
  /** Called with the bytes of each further form. */
  onGrowth: (bytes: number) => void = () => {};

  constructor(
    { route, path }: { readonly route: string; readonly path: string },
    body: Buffer | string,
    headers: Headers,
    { compressible }: { readonly compressible: boolean },
  ) {
    const { etag, vary, ...others } = headers;
    this.route = route;
    this.path = path;
    this.#tag = etag?.slice(1, -1) ?? createHash('sha256').update(body).digest('base64url').slice(0, 27);
    this.#compressible = compressible;
    const varies = [vary, compressible ? 'accept-encoding' : undefined].filter((each) => each !== undefined);
    this.#headers = varies.length === 0 ? others : { ...others, vary: varies.join(', ') };
    this.#identity = this.#form(body, null);
  }

  /** Its memory in bytes, including overhead. */
  get bytes(): number {
    return this.#identity.bytes + overheadBytes;
  }

  /** Returns the form in the coding that the client accepts. */
  formFor(accepts: string | undefined): Form | Promise<Form> {
    const coding = this.#compressible ? codingFor(this.#identity.bytes, accepts) : null;
    if (coding === null) return this.#identity;
    const known = this.#forms.get(coding);
    if (known !== undefined) return known;
    const made = this.#make(coding);
    this.#forms.set(coding, made);
    return made;
  }

  /** Returns the tag that an If-None-Match lists: of any form, because the client may have another one. */
  tagIn(ifNoneMatch: string | undefined, chosen: Form): string | undefined {
    if (ifNoneMatch === undefined) return undefined;
    return listedIn(ifNoneMatch, [chosen.etag, ...[null, ...codings].map((coding) => this.#etag(coding))]);
  }

  async #make(coding: DocumentCoding): Promise<Form> {
    const body = Buffer.from(this.#identity.body);
    const encoded = await encode(body, coding).catch(() => body);
    const form = encoded.length < body.length ? this.#form(encoded, coding) : this.#identity;
    this.#forms.set(coding, form);
    if (form !== this.#identity) this.onGrowth(form.bytes);
    return form;
  }

  #form(body: Buffer | string, coding: DocumentCoding | null): Form {
    const etag = this.#etag(coding);
    const bytes = Buffer.byteLength(body);
    const kept: Headers = {
      ...this.#headers,
      etag,
      ...(coding === null ? {} : { 'content-encoding': coding }),
    };
    const headers = { ...kept, 'content-length': String(bytes) };
    const notModified = Object.entries(headers).filter(([name]) => !ofBody.has(name));
    return {
      body,
      bytes,
      etag,
      headers,
      head: new KeptHead(Object.entries(kept).flat()),
      notModified: notModified.flat(),
    };
  }

  #etag(coding: DocumentCoding | null): string {
    return coding === null ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
  }
}

const codings: readonly DocumentCoding[] = ['br', 'gzip', 'zstd'];
const overheadBytes = 2_048;
const ofBody: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-encoding', 'etag']);
