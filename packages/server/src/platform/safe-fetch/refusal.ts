/**
 * Why a page was not fetched. The person who asked may read all of it, so it must not tell anything about our
 * network. `not_listed` is decided from the address as written. Everything that needs the network (no such
 * name, a refused address, a closed port, silence, a bad certificate, a broken response) is one `unreachable`
 * with one text. The time tells nothing either: a refused address is never connected to, so the answer takes
 * the same time whatever listens there. `status` and `too_large` only concern a page that was allowed and has
 * answered.
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
