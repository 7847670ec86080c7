const localHeader = Buffer.from('PK\x03\x04', 'latin1');
const centralHeader = Buffer.from('PK\x01\x02', 'latin1');
const tarBlock = 512;
const maxNameLength = 1_024;
const maxNames = 100;

/**
 * The headers that may still be looked at. All files of a version share it: headers may lie in the names of
 * others, so a small file can have many more than it has entries.
 */
export interface HeaderBudget {
  headers: number;
}
/** A zip has two for each entry. */
export const maxHeadersOfVersion = 1_000_000;

/** Collects names in an archive while its bytes are read. It keeps only the names that a rule wants. */
export interface NameWatch {
  take(bytes: Buffer): void;
  readonly names: ReadonlySet<string>;
  /** Returns whether the budget was used up before all headers were looked at. */
  readonly cut: boolean;
}

/** @returns a watch for archives that can be read without unpacking; null for other files */
export function nameWatch(
  head: Buffer,
  wanted: (name: string) => boolean,
  budget: HeaderBudget,
): NameWatch | null {
  if (head.subarray(0, 4).equals(localHeader)) return new ZipNames(wanted, budget);
  if (head.toString('latin1', 257, 262) === 'ustar') return new TarNames(wanted);
  return null;
}

class ZipNames implements NameWatch {
  readonly names = new Set<string>();
  cut = false;
  private carry: Buffer = Buffer.alloc(0);
  private readonly wanted: (name: string) => boolean;
  private readonly budget: HeaderBudget;

  constructor(wanted: (name: string) => boolean, budget: HeaderBudget) {
    this.wanted = wanted;
    this.budget = budget;
  }

  /** Reads both kinds of headers: unpacking programs use one or the other. */
  take(bytes: Buffer): void {
    if (this.cut) return;
    const all = this.carry.length > 0 ? Buffer.concat([this.carry, bytes]) : bytes;
    const cuts = [this.headers(all, localHeader, 26, 30), this.headers(all, centralHeader, 28, 46)];
    // This is a copy: a view would keep its whole chunk alive, and pooled memory may be overwritten.
    this.carry = Buffer.from(all.subarray(Math.min(...cuts)));
  }

  /** @returns the offset of the first incomplete header */
  private headers(bytes: Buffer, signature: Buffer, lengthAt: number, nameAt: number): number {
    const end = Math.max(0, bytes.length - signature.length + 1);
    for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 4)) {
      if (at + nameAt > bytes.length) return at;
      if (this.budget.headers-- <= 0) {
        this.cut = true;
        break;
      }
      const length = bytes.readUInt16LE(at + lengthAt);
      if (length > maxNameLength) continue;
      if (at + nameAt + length > bytes.length) return at;
      keep(this.names, bytes.toString('utf8', at + nameAt, at + nameAt + length), this.wanted);
    }
    return end;
  }
}

class TarNames implements NameWatch {
  readonly names = new Set<string>();
  /** Headers of a tar do not lie in others. */
  readonly cut = false;
  private header: Buffer = Buffer.alloc(0);
  private skip = 0;
  private readonly wanted: (name: string) => boolean;

  constructor(wanted: (name: string) => boolean) {
    this.wanted = wanted;
  }

  take(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      const skipped = Math.min(this.skip, rest.length);
      this.skip -= skipped;
      rest = rest.subarray(skipped);
      const missing = tarBlock - this.header.length;
      this.header = Buffer.concat([this.header, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.header.length === tarBlock) this.entry();
    }
  }

  private entry(): void {
    const name = this.header.toString('latin1', 0, 100).replace(/\0.*$/su, '');
    const size = Number.parseInt(this.header.toString('latin1', 124, 136), 8);
    keep(this.names, name, this.wanted);
    this.skip = Number.isSafeInteger(size) && size > 0 ? Math.ceil(size / tarBlock) * tarBlock : 0;
    this.header = Buffer.alloc(0);
  }
}

function keep(names: Set<string>, name: string, wanted: (name: string) => boolean): void {
  if (names.size < maxNames && wanted(name)) names.add(name);
}
