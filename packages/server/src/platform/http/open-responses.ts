import type { ServerResponse } from 'node:http';

const place = Symbol('its place among the open responses');

type Placed = ServerResponse & { [place]?: number };

/**
 * The responses that have not ended. A Set would make a new table every few requests, and V8 puts the tables of
 * a Set that has grown old where only a collection of the whole heap frees them.
 */
export class OpenResponses implements Iterable<ServerResponse> {
  readonly #all: Placed[] = [];

  add(response: Placed): void {
    response[place] = this.#all.length;
    this.#all.push(response);
  }

  delete(response: Placed): void {
    const at = response[place];
    if (at === undefined) return;
    response[place] = undefined;
    const last = this.#all.pop();
    if (!last || last === response) return;
    last[place] = at;
    this.#all[at] = last;
  }

  [Symbol.iterator](): Iterator<ServerResponse> {
    return this.#all.values();
  }
}
