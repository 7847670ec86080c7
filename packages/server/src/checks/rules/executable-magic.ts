import type { BytePattern } from './reading/byte-watch.ts';

/** A file's first 64 KiB and its last 512 bytes. */
export interface Bytes {
  readonly size: number;
  firstBytes(): Buffer;
  lastBytes(): Buffer;
}

const machoMagics = new Set([0xfeedface, 0xfeedfacf]);
/**
 * Mach-O file types end at 12 (MH_FILESET). A fat binary has a handful of parts, where a Java class
 * file has a version from 45 on.
 */
const maxMachoFileType = 12;
const firstJavaVersion = 45;
const udifTrailerBytes = 512;

/**
 * Returns the kind of native program that the bytes are, by their headers; null for other files, such
 * as Java classes and WebAssembly.
 */
export function executableKind(bytes: Bytes): string | null {
  const head = bytes.firstBytes();
  if (isPe(head)) return 'Windows program (PE)';
  if (isElf(head)) return 'Linux or Android program (ELF)';
  if (isMacho(head)) return 'macOS program (Mach-O)';
  const start = head.toString('latin1', 0, 16);
  if (/^dex\n03\d\0/u.test(start)) return 'Android program (DEX)';
  if (start.startsWith('xar!\0')) return 'macOS installer (pkg)';
  if (start.startsWith('!<arch>\ndebian')) return 'Linux package (deb)';
  if (start.startsWith('\xed\xab\xee\xdb')) return 'Linux package (rpm)';
  if (start.startsWith('L\0\0\0\x01\x14\x02\0')) return 'Windows shortcut (lnk)';
  return isDiskImage(bytes) ? 'macOS disk image (dmg)' : null;
}

/**
 * `MZ` is not enough: data files and DOS programs for emulators begin with it too. The PE header
 * that it points to has to be there.
 */
function isPe(head: Buffer): boolean {
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') return false;
  const at = head.readUInt32LE(60);
  return head.toString('latin1', at, at + 4) === 'PE\0\0';
}

/** Offset of the optional header from the PE header (Microsoft's "PE Format"). */
const optionalHeaderAt = 24;
/** For 32 and 64 bits, the magic of the optional header, and the offset in it of the CLI header's entry. */
const cliEntryAt: ReadonlyMap<number, number> = new Map([
  [0x10b, 208],
  [0x20b, 224],
]);

/** Returns whether the bytes are a PE file for .NET, whose runtime for browsers loads such files. */
export function isNetFile(head: Buffer): boolean {
  if (!isPe(head)) return false;
  const optional = head.readUInt32LE(60) + optionalHeaderAt;
  if (head.length < optional + 2) return false;
  const entry = cliEntryAt.get(head.readUInt16LE(optional));
  if (entry === undefined || head.length < optional + entry + 8) return false;
  return head.readUInt32LE(optional + entry) > 0 && head.readUInt32LE(optional + entry + 4) > 0;
}

/** Returns the offset of the PE header if it lies behind the end of `head`; null otherwise. */
export function farPeHeader(head: Buffer, size: number): number | null {
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') return null;
  const at = head.readUInt32LE(60);
  return at + 4 > head.length && at + 4 <= size ? at : null;
}

function isElf(head: Buffer): boolean {
  if (head.length < 20 || head.toString('latin1', 0, 4) !== '\x7fELF') return false;
  const [bits, order, version] = [head[4], head[5], head[6]];
  return (bits === 1 || bits === 2) && (order === 1 || order === 2) && version === 1;
}

function isMacho(head: Buffer): boolean {
  if (head.length < 32) return false;
  const big = head.readUInt32BE(0);
  if (machoMagics.has(big)) return plausibleMacho(head.readUInt32BE(12));
  if (machoMagics.has(head.readUInt32LE(0))) return plausibleMacho(head.readUInt32LE(12));
  const parts = head.readUInt32BE(4);
  return (big === 0xcafebabe || big === 0xcafebabf) && parts > 0 && parts < firstJavaVersion;
}

function plausibleMacho(fileType: number): boolean {
  return fileType >= 1 && fileType <= maxMachoFileType;
}

/** A UDIF image ends with its `koly` block of 512 bytes. */
function isDiskImage(bytes: Bytes): boolean {
  const tail = bytes.lastBytes();
  if (tail.length < udifTrailerBytes || tail.toString('latin1', 0, 4) !== 'koly') return false;
  return tail.readUInt32BE(8) === udifTrailerBytes;
}

/**
 * Returns whether the file is an OLE compound file, as MSI installers, old Office files and Thumbs.db are.
 */
export function isOle(head: Buffer): boolean {
  return head.toString('latin1', 0, 8) === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
}

/**
 * The class of an MSI's root entry, {000C1084-0000-0000-C000-000000000046}, and those
 * of MSI patches and transforms.
 */
export const msiClass: BytePattern = {
  words: ['\x10\x0c\0\0\0\0\0'],
  pattern: /[\x82\x84\x86]\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0\x46/g,
};
