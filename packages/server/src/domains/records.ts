import type { DomainResolver } from './resolver.ts';

export interface DomainRecord {
  readonly type: 'TXT' | 'CNAME';
  readonly name: string;
  readonly value: string;
}

/** The values of the DNS records of a host: the proof of its owner, and the target that it points to. */
export interface Wanted {
  readonly host: string;
  readonly proof: string;
  /** The space's host at the service, without a port. */
  readonly target: string;
}

export function recordsFor({ host, proof, target }: Wanted): readonly DomainRecord[] {
  return [
    { type: 'TXT', name: `_spaceport.${host}`, value: proof },
    { type: 'CNAME', name: host, value: target },
  ];
}

/**
 * Returns what is missing, in words; null if both records are there. The top of a zone cannot have a CNAME:
 * there, the same addresses as the target's do, as ALIAS and ANAME give them.
 * @throws if the DNS does not answer
 */
export async function findLacking(dns: DomainResolver, wanted: Wanted): Promise<string | null> {
  const { host, proof, target } = wanted;
  if (!(await dns.txt(`_spaceport.${host}`)).includes(proof))
    return `There is no TXT record «${proof}» at _spaceport.${host} yet.`;
  if ((await dns.cname(host)).includes(target)) return null;
  const theirs = await dns.addresses(host);
  const ours = new Set(await dns.addresses(target));
  if (theirs.length > 0 && theirs.every((address) => ours.has(address))) return null;
  return `${host} does not point to ${target} yet.`;
}
