import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';

/** More than browsers, proxies and clients send ahead. */
const mostWaiting = 64;

/**
 * Requests that were sent before the response to an earlier one of their connection. Node takes them without a
 * limit as long as nothing is answered. So one connection could have any number of requests under way, and the
 * limit of connections of an address would be none.
 */
export class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>();

  /**
   * Begins a request once the earlier responses of its connection have been sent; they have to be sent in order
   * anyway. Cuts a connection on which too many wait.
   */
  later(
    request: IncomingMessage,
    response: ServerResponse,
    begin: (request: IncomingMessage, response: ServerResponse) => void,
  ): void {
    const { socket } = request;
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    if (waiting > mostWaiting) return void socket.destroy();
    this.#waiting.set(socket, waiting);
    response.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      // Node still has to flush the response after this event.
      nextTick(() => {
        if (!response.destroyed) begin(request, response);
      });
    });
  }
}
