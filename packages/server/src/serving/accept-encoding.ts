import type { ContentCoding } from './site.ts';

/**
 * The quality that a client gives each coding, from 0 (refused) to 1, in its Accept-Encoding (RFC 9110
 * §12.5.3).
 */
export interface AcceptedCodings extends Readonly<Record<ContentCoding | 'identity' | 'dcz', number>> {
  /** True if there was no such header: then the client takes any stored form. */
  readonly anything: boolean;
}

/** Identity is the last choice: this is less than any quality in a header, and not a refusal. */
const lastResort = 0.0005;
const quality = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/u;
const nothingSaid: AcceptedCodings = { br: 0, zstd: 0, gzip: 0, dcz: 0, identity: 1, anything: true };

const remembered = new Map<string, AcceptedCodings>();
const rememberedHeaders = 500;
const rememberedHeaderCharacters = 200;

/** Parses the header. Browsers send only a few different ones, so the last few hundred are kept. */
export function acceptedCodings(header: string | undefined): AcceptedCodings {
  if (header === undefined) return nothingSaid;
  const known = remembered.get(header);
  if (known) return known;
  const parsed = parse(header);
  if (header.length <= rememberedHeaderCharacters) {
    if (remembered.size >= rememberedHeaders) remembered.clear();
    remembered.set(header, parsed);
  }
  return parsed;
}

function parse(header: string): AcceptedCodings {
  const listed = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (weight !== undefined && !quality.test(weight)) continue;
    if (coding !== '') listed.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight ?? 1));
  }
  const others = listed.get('*');
  return {
    br: listed.get('br') ?? others ?? 0,
    zstd: listed.get('zstd') ?? others ?? 0,
    gzip: listed.get('gzip') ?? others ?? 0,
    // A client that accepts it names it (RFC 9842 §6.1).
    dcz: listed.get('dcz') ?? 0,
    identity: listed.get('identity') ?? others ?? lastResort,
    anything: false,
  };
}
