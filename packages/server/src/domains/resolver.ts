import { Resolver } from 'node:dns/promises';

/**
 * Looks names up in the DNS. Results are in lower case and without dots at the end; they are empty if there
 * is no record. The functions throw if the DNS does not answer.
 */
export interface DomainResolver {
  txt(name: string): Promise<readonly string[]>;
  cname(name: string): Promise<readonly string[]>;
  addresses(name: string): Promise<readonly string[]>;
}

const nothing = new Set(['ENODATA', 'ENOTFOUND']);

/** Makes a resolver that uses the machine's own. */
export function systemResolver(): DomainResolver {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  const plain = (name: string) => name.toLowerCase().replace(/\.$/u, '');
  return {
    txt: async (name) => (await orNothing(resolver.resolveTxt(name))).map((parts) => parts.join('')),
    cname: async (name) => (await orNothing(resolver.resolveCname(name))).map(plain),
    addresses: async (name) => [
      ...(await orNothing(resolver.resolve4(name))),
      ...(await orNothing(resolver.resolve6(name))),
    ],
  };
}

async function orNothing<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && nothing.has(String(error.code))) return [];
    throw error;
  }
}
