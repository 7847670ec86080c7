/**
 * Why a page was not fetched. Whoever asks may read all of this, so it must not tell what our network looks
 * like: `not_listed` is decided from the address as written, and everything that took the network (no such
 * name, a refused address, a closed port, a silence, a bad certificate, a broken answer) is one `unreachable`
 * with one text. Neither does the time it takes: a refused address is never connected to, so the answer is as
 * fast whatever listens there. `status` and `too_large` speak only of a page that was allowed and answered.
 */
export type Refusal =
  | { readonly kind: 'not_listed' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'too_large' };

const texts = {
  not_listed: 'The host is not listed: give the http or https address of a page on the public web.',
  unreachable: 'The page could not be reached.',
  status: 'The page did not answer with a page.',
  too_large: 'The page is too large.',
} as const satisfies Record<Refusal['kind'], string>;

/** `message` may be shown to anybody; `cause` is for the log only. */
export class FetchRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(texts[refusal.kind], cause === undefined ? undefined : { cause });
    this.name = 'FetchRefused';
    this.refusal = refusal;
  }
}
