import type { Domain } from '@spaceport/contract/domains';
import type { DomainResolver } from '../src/domains/resolver.ts';

/** A DNS for tests: `TYPE name` → records. */
export class TestDns implements DomainResolver {
  readonly records = new Map<string, readonly string[]>();
  isAway = false;
  readonly #ask = (type: string) => async (name: string) => {
    if (this.isAway) throw new Error('SERVFAIL');
    return this.records.get(`${type} ${name}`) ?? [];
  };
  txt = this.#ask('TXT');
  cname = this.#ask('CNAME');
  addresses = this.#ask('A');

  /** Writes the records that the owner of a host is asked for. */
  write({ records }: Domain): void {
    for (const { type, name, value } of records) this.records.set(`${type} ${name}`, [value]);
  }
}
