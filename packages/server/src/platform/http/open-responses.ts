import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The responses that have not ended, one for each connection. With a Set of them V8 would make a new table every
 * few requests, and the tables of a Set that has grown old where only a collection of the whole heap frees them.
 * Here the places are those of the connections, and a request allocates nothing.
 */
export class OpenResponses implements Iterable<ServerResponse> {
  readonly #of = new Map<Socket, ServerResponse | null>();

  connected(socket: Socket): void {
    this.#of.set(socket, null);
    socket.on('close', () => this.#of.delete(socket));
  }

  /** A connection with several requests at once has the place of the last, whose response ends it. */
  begun({ socket }: IncomingMessage, response: ServerResponse): void {
    if (this.#of.has(socket)) this.#of.set(socket, response);
  }

  ended(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.#of.get(socket) === response) this.#of.set(socket, null);
  }

  *[Symbol.iterator](): Iterator<ServerResponse> {
    for (const response of this.#of.values()) if (response) yield response;
  }
}
