import { ServiceError } from '../platform/errors.ts';

/** Room for a second try while the first connection is not known to be dead. */
const maxAtOnce = 2;
const retryAfterSeconds = 5;

/** Uploads under way: how many of one file, and how many bytes of one publisher, which lie in temporary files. */
export interface UploadRoom {
  /** @returns what ends it; throws `rate_limited` if the link is in use already */
  enterLink(link: string): () => void;
  /** @returns what gives the room back; throws `rate_limited` if the publisher has no more */
  enterBytes(publisher: string, bytes: number, maxBytes: number): () => void;
}

export function createUploadRoom(): UploadRoom {
  const links = new Map<string, number>();
  const publishers = new Map<string, number>();

  function enter(held: Map<string, number>, key: string, amount: number): () => void {
    held.set(key, (held.get(key) ?? 0) + amount);
    return () => {
      const left = (held.get(key) ?? 0) - amount;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    };
  }

  return {
    enterLink(link) {
      if ((links.get(link) ?? 0) >= maxAtOnce) {
        throw new ServiceError('rate_limited', 'This file is being sent already; wait for it to end.', {
          retryAfterSeconds,
        });
      }
      return enter(links, link, 1);
    },
    enterBytes(publisher, bytes, maxBytes) {
      if ((publishers.get(publisher) ?? 0) + bytes > maxBytes) {
        throw new ServiceError(
          'rate_limited',
          `More than ${maxBytes} bytes are being sent at once; wait for some of them to end.`,
          { retryAfterSeconds },
        );
      }
      return enter(publishers, publisher, bytes);
    },
  };
}
