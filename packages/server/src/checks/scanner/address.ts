/** The address that a clamd listens on. */
export type ClamdTarget = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * Reads `host:port`, `[v6]:port`, or the path of a Unix socket, with or without `unix:` before it.
 * @throws TypeError for anything else
 */
export function clamdAddress(address: string): ClamdTarget {
  const socket = /^(?:unix:)?(\/.+)$/u.exec(address)?.[1];
  if (socket) return { path: socket };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]/\s]+)):(\d{1,5})$/u.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (!host || !(port >= 1 && port <= 65_535)) {
    throw new TypeError(`not the address of a clamd (host:port or the path of a socket): ${address}`);
  }
  return { host, port };
}
