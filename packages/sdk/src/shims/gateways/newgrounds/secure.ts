import { Refusal } from './refusal.ts';

const ivBytes = 16;

/**
 * Decrypts a game's call: AES-128 in CBC mode, in base64, with the initialisation vector in front. The key is
 * in the game's own files, so the encryption protects nothing; it is only a format of calls.
 */
export async function opened(text: string, key: string | undefined, { subtle }: Crypto): Promise<unknown> {
  if (key === undefined)
    throw new Refusal('invalidEncryption', 'The call is encrypted, and service.json has no encryption_key.');
  if (!subtle)
    throw new Refusal('invalidEncryption', 'Browsers decrypt on pages that come over https alone.');
  try {
    const bytes = bytesOf(text);
    const imported = await subtle.importKey('raw', bytesOf(key), 'AES-CBC', false, ['decrypt']);
    const vector = { name: 'AES-CBC', iv: bytes.slice(0, ivBytes) };
    const plain = await subtle.decrypt(vector, imported, bytes.slice(ivBytes));
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    throw new Refusal('invalidEncryption', 'The call cannot be decrypted with the encryption_key.');
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
