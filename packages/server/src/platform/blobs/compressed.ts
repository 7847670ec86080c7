/** How many bytes of the beginning `isCompressed` needs. */
export const sniffBytes = 64;

/**
 * Returns whether a file that begins with `head` is in a compressed format, by its magic bytes. Brotli has
 * none; such a file is noticed because it does not get smaller.
 */
export function isCompressed(head: Buffer): boolean {
  return (
    magics.some(({ at = 0, bytes }) => head.subarray(at, at + bytes.length).equals(bytes)) ||
    isPackedTexture(head)
  );
}

const magics: readonly { at?: number; bytes: Buffer }[] = [
  { bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47]) }, // PNG
  { bytes: Buffer.from([0xff, 0xd8, 0xff]) }, // JPEG
  { at: 8, bytes: Buffer.from('WEBP') },
  { bytes: Buffer.from('GIF8') },
  { at: 4, bytes: Buffer.from('ftyp') }, // MP4, AVIF, HEIC and their kin
  { bytes: Buffer.from([0x1a, 0x45, 0xdf, 0xa3]) }, // WebM
  { bytes: Buffer.from('OggS') },
  { bytes: Buffer.from('ID3') }, // MP3 with a title, and without, in its three layers
  { bytes: Buffer.from([0xff, 0xfb]) },
  { bytes: Buffer.from([0xff, 0xf3]) },
  { bytes: Buffer.from([0xff, 0xf2]) },
  { bytes: Buffer.from('fLaC') },
  { bytes: Buffer.from('wOFF') },
  { bytes: Buffer.from('wOF2') },
  { bytes: Buffer.from('PK\u0003\u0004') }, // ZIP
  { bytes: Buffer.from([0x1f, 0x8b]) }, // gzip
  { bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) }, // zstd
];

const ktx2Magic = Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb]);
const ktx2SchemeAt = 44;

/** A KTX 2.0 file holds its textures plain (scheme 0) or "supercompressed" (§3.8 of its specification). */
function isPackedTexture(head: Buffer): boolean {
  return (
    head.subarray(0, ktx2Magic.length).equals(ktx2Magic) &&
    head.length >= ktx2SchemeAt + 4 &&
    head.readUInt32LE(ktx2SchemeAt) !== 0
  );
}
