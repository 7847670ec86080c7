import { type Portal, portalNames, portalOf, portals } from '@spaceport/contract/portals';

/** Where the address of a portal's SDK stands in a document. */
export interface PortalScript {
  readonly portal: Portal;
  readonly start: number;
  readonly end: number;
}

/** In front of an address: a scheme, and the attribute whose value it is. */
const attribute = /[\s/]src\s*=\s*(["']?)\s*((?:https?:)?\/\/)$/iu;
const attributeCharacters = 60;
/** Addresses of SDKs are short, and a query does not make them long. */
const addressCharacters = 300;

/**
 * The addresses of portals' SDKs that script elements of an HTML document have, in their order. One that only seems to be an
 * element (in a comment, or in a text that a script writes into the page) counts as one.
 */
export function portalScripts(bytes: Buffer): PortalScript[] {
  const text = bytes.toString('latin1');
  const found = portalNames.flatMap((portal) => {
    const scripts: PortalScript[] = [];
    const { sdk } = portals[portal];
    for (let at = text.indexOf(sdk); at >= 0; at = text.indexOf(sdk, at + sdk.length)) {
      const script = scriptAround(text, at);
      if (script && portalOf(text.slice(script.start, script.end)) === portal)
        scripts.push({ portal, ...script });
    }
    return scripts;
  });
  return found.sort((one, other) => one.start - other.start);
}

/** The whole address that has something at a place, where it is the `src` of a script element. */
function scriptAround(text: string, at: number): { start: number; end: number } | null {
  const before = attribute.exec(text.slice(Math.max(0, at - attributeCharacters), at));
  if (!before) return null;
  const [, quote = '', scheme = ''] = before;
  const tag = text.lastIndexOf('<', at);
  if (!/^<script[\s/]/iu.test(text.slice(tag, tag + 8)) || text.slice(tag, at).includes('>')) return null;
  const rest = text.slice(at, at + addressCharacters);
  const length = quote === '' ? rest.search(/[\s>]/u) : rest.indexOf(quote);
  return length < 0 ? null : { start: at - scheme.length, end: at + length };
}
