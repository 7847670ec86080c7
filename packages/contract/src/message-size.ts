/**
 * Returns the size of a value that can be cloned, in bytes, at most `most + 1`: never more than its JSON has,
 * so that data within a limit of JSON is within the same limit here. Only quotes of texts and escapes are not
 * counted. It also ends for values that contain themselves.
 */
export function sizeOf(value: unknown, most: number): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const next = open.pop();
    if (typeof next === 'string') size += textBytes(next, most - size);
    else if (typeof next === 'number') size += `${next}`.length;
    else if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) size += next.byteLength;
    else if (Array.isArray(next)) {
      size += next.length + 1;
      if (size <= most) for (const item of next) open.push(item);
    } else if (typeof next === 'object' && next !== null) {
      size += 2;
      for (const key of Object.keys(next)) {
        open.push(key, (next as Record<string, unknown>)[key]);
        size += 3;
        if (size > most) break;
      }
    } else size += 4;
  }
  return Math.min(size, most + 1);
}

/** Stops counting as soon as the size is over `most`. */
function textBytes(text: string, most: number): number {
  if (text.length > most) return most + 1;
  return new TextEncoder().encode(text).length;
}
