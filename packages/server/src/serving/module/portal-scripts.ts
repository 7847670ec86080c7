import { type Portal, portalNames, portalOf, portals } from '@spaceport/contract/portals';

/** The place of the address of a portal's SDK in a document. */
export interface PortalScript {
  readonly portal: Portal;
  readonly start: number;
  readonly end: number;
}

/** The text before an address: the attribute with its scheme. */
const attribute = /[\s/]src\s*=\s*(["']?)\s*((?:https?:)?\/\/)$/iu;
const attributeCharacters = 60;
/** The longest address that is considered: addresses of SDKs are short, even with a query. */
const addressCharacters = 300;

/**
 * Returns the addresses of portals' SDKs in script elements of an HTML document, in order. Text that only
 * looks like an element (in a comment, or in a string of a script) counts too.
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

/** Returns the whole address around an offset if it is the `src` of a script element; else null. */
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
