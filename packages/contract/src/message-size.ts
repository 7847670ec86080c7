/**
 * Returns the size of a value that can be cloned, in bytes, at most `most + 1`. Strings count as UTF-8 at
 * their longest, numbers as 8 bytes. It also ends for values that contain themselves.
 */
export function sizeOf(value: unknown, most: number): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const next = open.pop();
    if (typeof next === 'string') size += textBytes(next, most - size);
    else if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) size += next.byteLength;
    else if (Array.isArray(next)) {
      size += 8 + next.length;
      if (size <= most) for (const item of next) open.push(item);
    } else if (typeof next === 'object' && next !== null) {
      size += 8;
      for (const key of Object.keys(next)) {
        open.push(key, (next as Record<string, unknown>)[key]);
        size += 1;
        if (size > most) break;
      }
    } else size += 8;
  }
  return Math.min(size, most + 1);
}

/** Stops counting as soon as the size is over `most`. */
function textBytes(text: string, most: number): number {
  if (text.length > most) return most + 1;
  return new TextEncoder().encode(text).length;
}
