import { KeptHead } from '../platform/http/kept-head.ts';
import type { AcceptedCodings } from './accept-encoding.ts';
import type { Body } from './body-cache.ts';
import { type MediaType, mediaTypeOf } from './media-types.ts';
import type { Piece } from './module/open-spliced.ts';
import {
  cacheControl,
  type FlatHeaders,
  forever,
  isIsolated,
  type Policy,
  policyHeaders,
} from './policy-headers.ts';
import type { ContentCoding, SiteFile } from './site.ts';
import { dictionaryMatch, isDocument, opensToo } from './version-path.ts';

/** One file in one coding. Its headers are made once (`writeHead` adds the request's id). */
export interface Variant {
  readonly coding: ContentCoding | 'identity' | 'dcz';
  readonly etag: string;
  /** Key in the blob store. */
  readonly key: string;
  /** Bytes as stored. */
  readonly size: number;
  /**
   * The coding of the stored bytes, if they are decoded while they are sent because the client does not
   * accept it.
   */
  readonly unpack?: 'br' | 'gzip';
  /** The whole body, if it was made here: the store has nothing under `key` then. */
  readonly body?: Body;
  /** Bytes that are inserted into the stored bytes, or replace some of them. */
  readonly splice?: readonly Piece[];
  readonly headers: FlatHeaders;
  /** The head of the whole form with status 200: its text is kept from the first response on. */
  readonly head: KeptHead;
  /** The head of a 304. */
  readonly notModified: KeptHead;
}

export interface FileAnswer {
  /** The smallest comes first, identity last. */
  readonly variants: readonly [Variant, ...Variant[]];
  readonly identity: Variant;
  /**
   * Whether ranges are supported. They are ranges of the identity form; a file that is stored coded has none.
   */
  readonly hasRanges: boolean;
  readonly isCodedByAuthor: boolean;
  /**
   * What is sent instead if the file is opened in a frame or a tab. Set if it is a part of other pages as
   * well, for which it is kept for good.
   */
  readonly opened?: FileAnswer;
  /** The deltas by the SHA-256 of their dictionary, in hex. */
  readonly deltas?: ReadonlyMap<string, Variant>;
  /**
   * Set if the module is put into the file (module/): into every response, or only if the request is for a
   * document.
   */
  readonly withModule?: {
    readonly file: SiteFile;
    readonly always: boolean;
    readonly link: string | undefined;
  };
}

/**
 * A file at an address with a version in it. Except for pages, it never changes there. `path` is the path of
 * the address.
 */
export interface AtVersion {
  readonly path: string;
}

/** The parts of a variant; `tag` is its ETag. */
type Form = Omit<Variant, 'etag' | 'headers' | 'head' | 'notModified'> & { readonly tag: string };

export interface HeaderChoices {
  readonly cacheControl: string;
  /** The value of `Vary`; '' for none. */
  readonly vary: string;
  readonly hasRanges: boolean;
  readonly more?: FlatHeaders;
}

/** Returns a function that makes variants of this media type. */
export function variantMaker(
  media: MediaType,
  policy: Policy,
  { cacheControl, vary, hasRanges, more = [] }: HeaderChoices,
): (form: Form) => Variant {
  const varies = [...(vary === '' ? [] : [vary]), ...(isIsolated(policy, media) ? ['User-Agent'] : [])];
  const shared = [
    'Cache-Control',
    cacheControl,
    ...(varies.length === 0 ? [] : ['Vary', varies.join(', ')]),
    ...more,
  ];
  // A revalidated page takes its policies from the 304, which may be newer than the stored ones.
  const policies = policyHeaders(policy, media);
  const kept = media.role === 'other' ? [] : policies;
  return ({ tag, ...form }) => {
    const stored = media.coding === undefined ? form.coding : form.unpack ? 'identity' : media.coding;
    const common = ['ETag', tag, ...shared];
    const headers = [
      'Content-Type',
      media.contentType,
      ...(form.unpack ? [] : ['Content-Length', String(form.size)]),
      ...(stored === 'identity' ? [] : ['Content-Encoding', stored]),
      ...(hasRanges ? ['Accept-Ranges', 'bytes'] : []),
      ...common,
      ...policies,
    ];
    return {
      ...form,
      etag: tag,
      headers,
      head: new KeptHead(headers),
      notModified: new KeptHead([...common, ...kept], 304),
    };
  };
}

/**
 * Makes the answers to one file of a site. It is called once for each site and file, at its first request.
 * @param module when the module is put into it: 'always', or 'asked' if a request is for a document
 */
export function buildFileAnswer(
  path: string,
  file: SiteFile,
  policy: Policy,
  module: 'always' | 'asked' | 'never' = 'never',
  version?: AtVersion,
): FileAnswer {
  const media = mediaTypeOf(path);
  const hasForms = media.coding !== undefined || Object.keys(file.forms).length > 0;
  const takesModule = module !== 'never' && isHtml(media);
  const isForBoth = version !== undefined && opensToo(media);
  const hasRanges = media.coding === undefined;
  const revalidated = variantMaker(media, policy, {
    cacheControl: cacheControl(policy, media),
    vary: varyOf(hasForms || media.compressible, isForBoth || (takesModule && module === 'asked')),
    hasRanges,
  });
  if (version && !isDocument(media)) {
    const kept = variantMaker(media, policy, { ...foreverChoices(version, file.size, isForBoth), hasRanges });
    return {
      ...answerTo(file, media, kept),
      ...(file.deltas && { deltas: deltasTo(file, file.deltas, kept) }),
      ...(isForBoth && { opened: answerTo(file, media, revalidated) }),
    };
  }
  const plain = answerTo(file, media, revalidated);
  if (!takesModule) return plain;
  return { ...plain, withModule: { file, always: module === 'always', link: policy.link } };
}

function answerTo(file: SiteFile, media: MediaType, variant: (form: Form) => Variant): FileAnswer {
  const tag = `"${file.hash}"`;
  if (media.coding !== undefined) {
    const coded = variant({ coding: media.coding, key: file.key, size: file.size, tag });
    const identity = variant({
      coding: 'identity',
      key: file.key,
      size: file.size,
      unpack: media.coding,
      tag: `"${file.hash}-unpacked"`,
    });
    return answer([coded, identity], identity, media);
  }
  const identity = variant({ coding: 'identity', key: file.key, size: file.size, tag });
  const forms = formsOf(file).map(({ coding, key, size }) =>
    variant({ coding, key, size, tag: `"${file.hash}-${coding}"` }),
  );
  const [first, ...others] = [...forms, identity];
  return answer([first ?? identity, ...others], identity, media);
}

function deltasTo(
  file: SiteFile,
  deltas: NonNullable<SiteFile['deltas']>,
  variant: (form: Form) => Variant,
): FileAnswer['deltas'] {
  return new Map(
    deltas.map(({ dictionary, key, size }) => {
      const tag = `"${file.hash}-dcz-${dictionary.slice(0, 16)}"`;
      return [dictionary, variant({ coding: 'dcz', key, size, tag })];
    }),
  );
}

function foreverChoices(
  { path }: AtVersion,
  size: number,
  isForBoth: boolean,
): Omit<HeaderChoices, 'hasRanges'> {
  const match = dictionaryMatch(path, size);
  return {
    cacheControl: forever,
    vary: `Accept-Encoding, Available-Dictionary${isForBoth ? ', Sec-Fetch-Dest' : ''}`,
    more: match === null ? [] : ['Use-As-Dictionary', match],
  };
}

/** Returns whether browsers parse it as HTML. A page that its author compressed stays as it is. */
function isHtml(media: MediaType): boolean {
  return media.contentType.startsWith('text/html') && media.coding === undefined;
}

export function varyOf(byCoding: boolean, byDestination: boolean): string {
  return [...(byCoding ? ['Accept-Encoding'] : []), ...(byDestination ? ['Sec-Fetch-Dest'] : [])].join(', ');
}

function answer(variants: FileAnswer['variants'], identity: Variant, media: MediaType): FileAnswer {
  return {
    variants,
    identity,
    hasRanges: media.coding === undefined,
    isCodedByAuthor: media.coding !== undefined,
  };
}

/**
 * Returns a file's forms, smallest first. Of two equal ones zstd comes first, because it is decoded fastest.
 */
function formsOf(file: SiteFile): { coding: ContentCoding; key: string; size: number }[] {
  const forms: { coding: ContentCoding; key: string; size: number }[] = [];
  for (const coding of ['zstd', 'br', 'gzip'] as const) {
    const form = file.forms[coding];
    if (form && form.size < file.size) forms.push({ coding, ...form });
  }
  return forms.sort((one, other) => one.size - other.size);
}

/**
 * Returns the delta against the client's dictionary, if there is one and the client accepts it (RFC 9842
 * §2.2).
 */
export function chooseDelta(
  { deltas }: FileAnswer,
  accepted: AcceptedCodings,
  dictionary: string | undefined,
): Variant | undefined {
  if (!deltas || dictionary === undefined || accepted.dcz === 0) return undefined;
  const base64 = /^:([A-Za-z0-9+/]{43}=):$/u.exec(dictionary)?.[1];
  return base64 === undefined ? undefined : deltas.get(Buffer.from(base64, 'base64').toString('hex'));
}

/** Returns the variant that the client prefers; of equally preferred ones the smallest. */
export function chooseVariant(answer: FileAnswer, accepted: AcceptedCodings): Variant {
  if (answer.variants.length === 1 || (answer.isCodedByAuthor && accepted.anything))
    return answer.variants[0];
  let best = answer.identity;
  let bestQuality = 0;
  for (const variant of answer.variants) {
    const quality = accepted[variant.coding];
    if (quality > bestQuality) {
      best = variant;
      bestQuality = quality;
    }
  }
  return best;
}
