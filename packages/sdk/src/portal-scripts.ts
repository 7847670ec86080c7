import { portalOf } from '@spaceport/contract/portals';
import type { ServedModule } from '@spaceport/contract/sdk-protocol';

/**
 * Replaces the address of a portal's SDK in script elements that a page adds while it runs. The script
 * elements in its HTML are replaced when the page is served.
 */
export function answerPortals(
  frame: Pick<typeof globalThis, 'HTMLScriptElement'>,
  shims: ServedModule['shims'],
): void {
  if (!shims) return;
  const ours = (given: unknown): unknown => {
    const portal = portalOf(String(given));
    return (portal && shims[portal]) ?? given;
  };
  const { prototype } = frame.HTMLScriptElement;
  const src = Object.getOwnPropertyDescriptor(prototype, 'src');
  const set = src?.set;
  if (set) {
    Object.defineProperty(prototype, 'src', {
      ...src,
      set(this: HTMLScriptElement, given: unknown) {
        set.call(this, ours(given));
      },
    });
  }
  const { setAttribute } = prototype;
  prototype.setAttribute = function (this: HTMLScriptElement, name: string, given: string): void {
    setAttribute.call(this, name, /^src$/iu.test(name) ? (ours(given) as string) : given);
  };
}
