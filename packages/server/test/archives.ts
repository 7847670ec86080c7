import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';

/** An entry of a possibly hostile archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Bits of the entry's mode on Unix, in its upper half. */
  readonly mode?: number;
  readonly encrypted?: boolean;
  readonly method?: number;
  /** The bytes are not packed. */
  readonly stored?: boolean;
  /** The bytes of the name, in an encoding that the archive does not tell. */
  readonly rawName?: Uint8Array;
}

type TarHeader = Partial<Header> & Pick<Header, 'name'>;
type Contents = Readonly<Record<string, string | Uint8Array>>;

export function zipOf(files: Contents, more: readonly ZipEntry[] = []): Buffer {
  const entries = [...Object.entries(files).map(([name, content]) => ({ name, content })), ...more];
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const {
    name,
    content = '',
    mode = 0o100_644,
    encrypted = false,
    stored = false,
    method = stored ? 0 : 8,
    rawName,
  } of entries as ZipEntry[]) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    const nameBytes = rawName ?? Buffer.from(name);
    common.writeUInt16LE((rawName ? 0 : 0x800) | (encrypted ? 1 : 0), 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, tail, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

export async function tarOf(files: Contents, more: readonly TarHeader[] = []): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, Buffer.from(content as string));
  for (const header of more)
    if (header.type === undefined) tar.entry({ ...header }, 'x');
    else tar.entry({ ...header });
  tar.finalize();
  return buffer(tar);
}

export async function tarGzOf(files: Contents, more: readonly TarHeader[] = []): Promise<Buffer> {
  return gzipSync(await tarOf(files, more));
}

const boundary = 'a-boundary-of-parts';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** Returns a form with files, as a browser or curl sends it. */
export function formOf(files: Contents, rest = ''): Buffer {
  const parts = Object.entries(files).map(([name, content]) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
  );
  return Buffer.concat([...parts, Buffer.from(`${rest}--${boundary}--\r\n`)]);
}

/** Returns a text field for `formOf`. */
export function fieldOf(name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}
