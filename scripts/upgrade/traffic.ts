import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '@spaceport/client/client';
import { createGameServer } from '@spaceport/client/game-server';
import { publish } from '@spaceport/client/publish';
import { listing, sourceFiles } from '../../packages/server/test/files.ts';
import {
  eventually,
  get,
  patientRetry,
  untilAnswered,
} from '../../packages/server/test/node-histories/answered.ts';

const board = 'points';
const slot = 'main';
const fields = { ...listing, devices: [...listing.devices] };
const filesOf = (mark: string) =>
  sourceFiles({
    'index.html': `<!doctype html><title>${mark}</title><script src="game.js"></script>`,
    'game.js': `/* ${mark} */`,
  });

export interface TrafficOptions {
  readonly baseUrl: string;
  /** Port of the balancer. */
  readonly port: number;
  readonly token: string;
  /** Handles of the players. */
  readonly players: readonly string[];
}

/**
 * Continuous traffic: a creator publishes, a server posts scores, a guest saves, others read. Records
 * acknowledged writes.
 */
export class Traffic {
  readonly #port: number;
  readonly #baseUrl: string;
  readonly #client: Client;
  readonly #players: readonly string[];
  readonly #slug: string;
  readonly #secret: string;
  readonly #guest = {
    authorization: `Guest ${randomBytes(32).toString('base64url')}`,
    // The header of calls from a space's page.
    'sec-fetch-site': 'same-origin',
  };
  readonly #best = new Map<string, number>();
  readonly #versions = new Map<number, string>();
  #saved: { data: number; version: number } | null = null;
  /** Number of acknowledged operations of each kind. */
  readonly done = { publishes: 0, scores: 0, saves: 0, reads: 0 };
  #isOver = false;
  readonly #going: Promise<void>[] = [];

  private constructor(
    { baseUrl, port, players }: TrafficOptions,
    client: Client,
    slug: string,
    secret: string,
  ) {
    this.#baseUrl = baseUrl;
    this.#port = port;
    this.#players = players;
    this.#client = client;
    this.#slug = slug;
    this.#secret = secret;
  }

  /** Makes a space with a board, and begins the traffic. */
  static async begin(options: TrafficOptions): Promise<Traffic> {
    const client = createClient({ baseUrl: options.baseUrl, token: options.token, retry: patientRetry });
    const { space } = await publish(client, {
      source: { files: filesOf('first') },
      details: { fields },
      live: true,
    });
    const params = { slug: space.slug };
    await client.putBoards({ params, body: { boards: [{ key: board }] } });
    const { secret } = await client.issueSecret({ params });
    const traffic = new Traffic(options, client, space.slug, secret);
    traffic.#go(() => traffic.#publish());
    for (const player of options.players) traffic.#go(() => traffic.#post(player));
    traffic.#go(() => traffic.#save());
    traffic.#go(() => traffic.#read());
    return traffic;
  }

  /** Lets each kind of operation be done some times more. @throws an error if there was a wrong answer */
  async goOn(times: number): Promise<void> {
    const kinds = ['publishes', 'scores', 'saves', 'reads'] as const;
    const aims = kinds.map((kind) => ({ kind, aim: this.done[kind] + times }));
    while (aims.some(({ kind, aim }) => this.done[kind] < aim))
      await Promise.race([pause(50), ...this.#going]);
  }

  /** Ends the traffic. @throws an error if there was a wrong answer */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#going);
  }

  /** Reads all acknowledged writes from one node. @throws an error if one is missing */
  async readBack(port: number): Promise<void> {
    const slug = this.#slug;
    const entries = await get(port, `${this.#baseUrl}/api/gallery/${slug}/boards/${board}/entries?limit=100`);
    const found = new Map<string, number>();
    for (const { handle, score } of entries.json().entries) found.set(handle, score);
    for (const [player, score] of this.#best) assert.equal(found.get(player), score, `best of ${player}`);
    const { versions } = await this.#client.listVersions({ params: { slug } });
    const numbers = versions.map(({ number }) => number);
    for (const number of this.#versions.keys()) assert.ok(numbers.includes(number), `version ${number}`);
    const newest = this.#versions.get(Math.max(...this.#versions.keys()));
    await eventually(async () => {
      const told = (await get(port, this.#origin)).text();
      return told.includes(`<title>${newest}</title>`) ? null : `${newest} is not live: ${told}`;
    });
    const save = await get(port, `${this.#baseUrl}/api/player/saves/${slot}?space=${slug}`, {
      headers: this.#guest,
    });
    assert.equal(save.json().data, this.#saved?.data, save.text());
  }

  get #origin(): string {
    const { protocol, port } = new URL(this.#baseUrl);
    return `${protocol}//${this.#slug}.play.localhost:${port}/`;
  }

  #go(does: () => Promise<void>): void {
    const going = (async () => {
      while (!this.#isOver) await does();
    })();
    // `end` reports the error.
    going.catch(() => {});
    this.#going.push(going);
  }

  async #publish(): Promise<void> {
    const mark = `mark-${this.#versions.size + 1}`;
    const { version, outcome } = await untilAnswered(() =>
      publish(this.#client, { source: { files: filesOf(mark) }, details: { space: this.#slug }, live: true }),
    );
    assert.equal(outcome, 'live');
    this.#versions.set(version.number, mark);
    this.done.publishes++;
  }

  async #post(player: string): Promise<void> {
    const server = createGameServer({ baseUrl: this.#baseUrl, secret: this.#secret, retry: patientRetry });
    const score = (this.#best.get(player) ?? 0) + 1;
    const told = await server.postScore({ board, player, score });
    assert.equal(told.best, score);
    this.#best.set(player, score);
    this.done.scores++;
  }

  async #save(): Promise<void> {
    const data = (this.#saved?.data ?? 0) + 1;
    const match: Record<string, string> =
      this.#saved === null ? {} : { 'if-match': `"${this.#saved.version}"` };
    const { version } = await this.#client.putSave(
      { params: { slot }, query: { space: this.#slug }, body: { data, device: 'here' } },
      { headers: { ...this.#guest, ...match } },
    );
    this.#saved = { data, version };
    this.done.saves++;
  }

  async #read(): Promise<void> {
    const page = `${this.#baseUrl}/s/${this.#slug}`;
    for (const url of [`${this.#baseUrl}/`, `${this.#baseUrl}/api/gallery`, page, this.#origin]) {
      const { status } = await get(this.#port, url);
      assert.equal(status, 200, url);
      this.done.reads++;
    }
  }
}
