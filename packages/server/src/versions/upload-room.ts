import { ServiceError } from '../platform/errors.ts';
import { holdShared } from '../platform/limits/shared-holds.ts';
import type { Together } from '../platform/processes/together.ts';

/** Allows a second try while the first connection is not known to be dead. */
const maxAtOnce = 2;
const retryAfterSeconds = 5;

/**
 * Limits the uploads under way over all processes of a server: how many of one file, and how many bytes of
 * one publisher, which are held in temporary files.
 */
export interface UploadRoom {
  /**
   * @returns a function that ends the upload
   * @throws `rate_limited` if the link is in use already
   */
  enterLink(link: string): Promise<() => void>;
  /**
   * @returns a function that gives the bytes back
   * @throws `rate_limited` if the publisher has too many bytes under way
   */
  enterBytes(publisher: string, bytes: number, maxBytes: number): Promise<() => void>;
}

/** @param name the name of the room: rooms with the same name share their counts */
export function createUploadRoom(together: Pick<Together, 'count'>, name: string): UploadRoom {
  return {
    async enterLink(link) {
      const leave = await holdShared(together, `${name}: links`, [{ name: link, most: maxAtOnce }], 1);
      if (leave) return leave;
      throw new ServiceError('rate_limited', 'This file is being sent already; wait for it to end.', {
        retryAfterSeconds,
      });
    },
    async enterBytes(publisher, bytes, maxBytes) {
      const of = [{ name: publisher, most: maxBytes }];
      const leave = await holdShared(together, `${name}: bytes`, of, bytes);
      if (leave) return leave;
      throw new ServiceError(
        'rate_limited',
        `More than ${maxBytes} bytes are being sent at once; wait for some of them to end.`,
        { retryAfterSeconds },
      );
    },
  };
}
