import { hash } from 'node:crypto';
import { maxSaveBytes, type Save, type SaveBody } from '@spaceport/contract/saves';
import { toTimestamp } from '../platform/clock/clock.ts';
import { toJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';

/** The content of a save, as rows store it. */
export interface SaveContent {
  readonly type: 'json' | 'bytes';
  /** JSON text, or bytes in base64. */
  readonly data: string;
  readonly bytes: number;
  readonly digest: string;
  readonly device: string;
}

/**
 * Returns the content in a body.
 * @throws `too_large`
 */
export function contentOf({ data, base64, device = '' }: SaveBody): SaveContent {
  if (base64 !== undefined) {
    const bytes = Buffer.byteLength(base64, 'base64');
    return { ...sized('bytes', base64, bytes), device };
  }
  const json = toJson(data);
  return { ...sized('json', json, Buffer.byteLength(json)), device };
}

function sized(type: SaveContent['type'], data: string, bytes: number): Omit<SaveContent, 'device'> {
  if (bytes > maxSaveBytes)
    throw new ServiceError('too_large', `A save is over ${maxSaveBytes} bytes.`, { maxBytes: maxSaveBytes });
  return { type, data, bytes, digest: hash('sha256', `${type} ${data}`, 'base64url') };
}

/** Returns the content of a row, to be written to another row. */
export function contentOfRow({ type, data, bytes, digest, device }: SaveContent): SaveContent {
  return { type, data, bytes, digest, device };
}

/** Returns a save as its player reads it. */
export function toSave(row: {
  readonly slot: string;
  readonly version: number;
  readonly at: number;
  readonly device: string;
  readonly type: SaveContent['type'];
  readonly data: string;
}): Save {
  const { slot, version, at, device } = row;
  return { slot, version, at: toTimestamp(at), device, ...dataOf(row) };
}

/** Returns the content as it was sent. */
export function dataOf({ type, data }: Pick<SaveContent, 'type' | 'data'>): Pick<Save, 'data' | 'base64'> {
  if (type === 'bytes') return { base64: data };
  const value: unknown = JSON.parse(data);
  return { data: value };
}
