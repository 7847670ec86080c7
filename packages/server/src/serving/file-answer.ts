import type { AcceptedCodings } from './accept-encoding.ts';
import { requestIdSlot } from './exchange.ts';
import { type MediaType, mediaTypeOf } from './media-types.ts';
import { cacheControl, type FlatHeaders, type Policy, policyHeaders } from './policy-headers.ts';
import type { ContentCoding, SiteFile } from './site.ts';

/**
 * One file in one coding, with its headers made once (`writeHead` fills their last slot in).
 */
export interface Variant {
  readonly coding: ContentCoding | 'identity';
  readonly etag: string;
  /** Key in the blob store. */
  readonly key: string;
  /** Bytes as stored. */
  readonly size: number;
  /** The stored bytes are in this coding, and unpacked on the way: the client cannot take it. */
  readonly unpack?: 'br' | 'gzip';
  readonly headers: FlatHeaders;
  readonly notModifiedHeaders: FlatHeaders;
}

export interface FileAnswer {
  /** Smallest first, identity last. */
  readonly variants: readonly [Variant, ...Variant[]];
  readonly identity: Variant;
  /** Byte ranges are of the identity form; a file that is stored coded has none. */
  readonly hasRanges: boolean;
  readonly isCodedByAuthor: boolean;
}

/** Makes the answers to one file of a site: once per site and file, on its first request. */
export function buildFileAnswer(path: string, file: SiteFile, policy: Policy): FileAnswer {
  const media = mediaTypeOf(path);
  const hasForms = media.coding !== undefined || Object.keys(file.forms).length > 0;
  const shared = [
    'Cache-Control',
    cacheControl(policy, media),
    ...(hasForms || media.compressible ? ['Vary', 'Accept-Encoding'] : []),
  ];
  // A page that is revalidated takes its policies from the 304, which may be newer than what it has stored.
  const policies = policyHeaders(policy, media);
  const kept = media.role === 'other' ? [] : policies;

  function variant(form: Pick<Variant, 'coding' | 'key' | 'size' | 'unpack'> & { tag: string }): Variant {
    const stored = media.coding === undefined ? form.coding : form.unpack ? 'identity' : media.coding;
    const { tag, ...rest } = form;
    const common = ['ETag', tag, ...shared];
    return {
      ...rest,
      etag: tag,
      headers: [
        'Content-Type',
        media.contentType,
        ...(form.unpack ? [] : ['Content-Length', String(form.size)]),
        ...(stored === 'identity' ? [] : ['Content-Encoding', stored]),
        ...(media.coding === undefined ? ['Accept-Ranges', 'bytes'] : []),
        ...common,
        ...policies,
        ...requestIdSlot,
      ],
      notModifiedHeaders: [...common, ...kept, ...requestIdSlot],
    };
  }

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

function answer(variants: FileAnswer['variants'], identity: Variant, media: MediaType): FileAnswer {
  return {
    variants,
    identity,
    hasRanges: media.coding === undefined,
    isCodedByAuthor: media.coding !== undefined,
  };
}

/** A file's forms, smallest first; of two alike zstd, which unpacks fastest. */
function formsOf(file: SiteFile): { coding: ContentCoding; key: string; size: number }[] {
  const forms: { coding: ContentCoding; key: string; size: number }[] = [];
  for (const coding of ['zstd', 'br', 'gzip'] as const) {
    const form = file.forms[coding];
    if (form && form.size < file.size) forms.push({ coding, ...form });
  }
  return forms.sort((one, other) => one.size - other.size);
}

/** The variant that a client likes best; of those it likes alike the smallest. */
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
