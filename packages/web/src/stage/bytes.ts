/** Returns bytes as base64, for JSON. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  // In pieces, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}
