import { type RoomHello, roomLimits } from '@spaceport/contract/room-protocol';
import { z } from 'zod';

const counted = z.number().int().min(0);
const hello = z.object({
  epoch: z.string().max(100).nullable(),
  got: counted,
  sent: counted,
  version: counted,
}) satisfies z.ZodType<RoomHello>;

const restored = z.object({
  state: z.array(
    z.tuple([
      z.string().max(roomLimits.keyCharacters),
      z.string().refine((value) => Buffer.byteLength(value) <= roomLimits.messageBytes && isJson(value)),
    ]),
  ),
  version: counted,
});

/** Returns null if it is not a hello. */
export function readHello(json: string): RoomHello | null {
  return read(hello, json);
}

/** Reads the state as a member knows it; null if it is invalid. */
export function readRestore(json: string): z.output<typeof restored> | null {
  return read(restored, json);
}

function read<Value>(schema: z.ZodType<Value>, json: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns whether a text is JSON: the receivers must be able to parse it. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
