import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ApiError } from '@spaceport/client/api-error';
import { type Client, createClient } from '@spaceport/client/client';
import { createGameServer, type GameServer } from '@spaceport/client/game-server';
import { type CreatedAnswer, publish } from '@spaceport/client/publish';
import { makePlayers } from '../arena.ts';
import { type Files, fileEntries, listing, sourceFiles } from '../files.ts';
import { proofTag } from '../pages.ts';
import type { Persona } from '../service.ts';
import { patientRetry, untilAnswered } from './answered.ts';
import { boards, type Deed, playerCount } from './choices.ts';
import type { NodeCluster } from './cluster.ts';
import { loadOf } from './loads.ts';
import { Standings } from './standings.ts';

const fields = { ...listing, devices: [...listing.devices] };
const slot = 'main';

/** Returns the files of a version. Each file contains the version's mark. */
const gameOf = (mark: string): Files => ({
  'index.html': `<!doctype html><title>${mark}</title><script src="first.js"></script>`,
  'first.js': `/* ${mark} */`,
  'by-root.js': `/* ${mark} */`,
});

/**
 * One schedule: a creator, a space and its players, who act one after the other through the proxy. The fields
 * record the acknowledged writes, which must be stored in the end.
 */
export class Story {
  readonly cluster: NodeCluster;
  readonly creator: Persona;
  readonly client: Client;
  readonly players: readonly string[];
  readonly slug: string;
  /** Number → mark of the versions that went live. */
  readonly versions: Map<number, string>;
  live: number;
  deleted = false;
  readonly standings = new Standings();
  /** A listed space, and the address that it was last moved to. */
  readonly listed: string;
  movedTo: string;
  /** Claimed pages: who claimed each, and who failed to. */
  readonly claimed: { readonly slug: string; readonly by: Client; readonly notBy: Client }[] = [];
  /** The last save of a guest. */
  save: { readonly version: number; readonly data: number } | null = null;
  readonly guest = {
    authorization: `Guest ${randomBytes(32).toString('base64url')}`,
    // The header of calls from a space's page.
    'sec-fetch-site': 'same-origin',
  };
  readonly #server: GameServer;
  readonly #rival: Client;
  readonly #loads: Promise<void>[] = [];
  #marks = 1;
  #posts = 0;

  private constructor(cluster: NodeCluster, made: Made) {
    this.cluster = cluster;
    this.creator = made.creator;
    this.client = made.client;
    this.#rival = made.rival;
    this.players = made.players;
    this.slug = made.slug;
    this.versions = new Map([[made.number, made.mark]]);
    this.live = made.number;
    this.listed = made.listed;
    this.movedTo = made.url;
    this.#server = createGameServer({
      baseUrl: cluster.test.baseUrl,
      secret: made.secret,
      retry: patientRetry,
    });
  }

  /** Makes a space with one version, boards, a secret and players, before any fault. */
  static async begin(cluster: NodeCluster): Promise<Story> {
    const { test, pages } = cluster;
    const creator = await test.creator();
    const client = clientOf(cluster, creator.token);
    const rival = clientOf(cluster, (await test.creator()).token);
    const mark = `${creator.handle}-1`;
    const { space, version } = await publish(client, {
      source: { files: sourceFiles(gameOf(mark)) },
      details: { fields },
      live: true,
    });
    const params = { slug: space.slug };
    await client.putBoards({
      params,
      body: { boards: boards.map((key) => ({ key, keep: key === 'coins' ? 'sum' : 'best' })) },
    });
    await client.putAchievements({ params, body: { achievements: [{ key: 'founder' }] } });
    const { secret } = await client.issueSecret({ params });
    const url = pages.put(`/${space.slug}/1`, proofTag(creator.handle));
    const { slug: listed } = await client.listSpace({ body: { ...fields, url } });
    const players = await makePlayers(test, playerCount);
    const made = { creator, client, rival, players, slug: space.slug, number: version.number, mark };
    return new Story(cluster, { ...made, secret, listed, url });
  }

  async play(deed: Deed): Promise<void> {
    if (this.deleted && !['delete', 'move', 'claim'].includes(deed.is)) return;
    switch (deed.is) {
      case 'publish':
        return this.#publish();
      case 'rollback':
        return this.#rollback(deed.pick);
      case 'move':
        return this.#move();
      case 'claim':
        return this.#claim();
      case 'delete':
        return this.#delete();
      case 'score':
        return this.#score(this.#player(deed.player), deed.board, deed.value + 1);
      case 'unlock':
        return this.#unlock(this.#player(deed.player));
      case 'save':
        return this.#save(deed.pick);
      case 'ban':
        return this.#ban(this.#player(deed.player));
      case 'reset':
        return this.#reset(this.#player(deed.player));
    }
  }

  /** Resolves when all page loads have ended. @throws an error if one had files of two versions */
  async loaded(): Promise<void> {
    await Promise.all(this.#loads);
  }

  /** Begins a page load, possibly during a swap of versions or a restart of nodes. */
  visit(): void {
    this.#loads.push(loadOf(this));
    // `loaded` reports the error.
    this.#loads.at(-1)?.catch(() => {});
  }

  async #publish(): Promise<void> {
    this.visit();
    const mark = `${this.creator.handle}-${++this.#marks}`;
    const { version, outcome } = await this.#published(this.client, mark, { space: this.slug }, true);
    assert.equal(outcome, 'live');
    this.versions.set(version.number, mark);
    this.live = version.number;
  }

  /** Publishes, and resumes an interrupted publish as the command line does. */
  async #published(
    client: Client,
    mark: string,
    details: { space: string } | { fields: typeof fields },
    live: boolean,
  ) {
    let resume: CreatedAnswer | undefined;
    const result = await untilAnswered(() => {
      const claim = resume?.claimToken;
      return publish(claim === undefined ? client : client.withClaim(claim), {
        source: { files: sourceFiles(gameOf(mark)) },
        details,
        live,
        ...(resume ? { resume } : {}),
        onCreated: (created) => {
          resume = created;
        },
      });
    });
    return { ...result, claim: resume?.claimToken ?? '' };
  }

  async #rollback(pick: number): Promise<void> {
    this.visit();
    const numbers = [...this.versions.keys()];
    const version = numbers[pick % numbers.length] ?? 1;
    await untilAnswered(() => this.client.rollback({ params: { slug: this.slug }, body: { version } }));
    this.live = version;
  }

  async #move(): Promise<void> {
    const { cluster, creator, listed } = this;
    const url = cluster.pages.put(`/${this.slug}/${++this.#posts}-moved`, proofTag(creator.handle));
    await untilAnswered(() =>
      // An earlier try may have succeeded.
      unless('same_url', this.client.moveSpace({ params: { slug: listed }, body: { url } })),
    );
    this.movedTo = url;
  }

  /** Two accounts claim a page at once. */
  async #claim(): Promise<void> {
    const nobody = clientOf(this.cluster);
    const mark = `${this.creator.handle}-${++this.#marks}`;
    const { space, claim } = await this.#published(nobody, mark, { fields }, false);
    const body = { files: fileEntries(gameOf(mark)) };
    const claimBy = async (client: Client) => {
      const taken = await untilAnswered(() =>
        unless('claim_not_found', client.withClaim(claim).createVersion({ body })),
      );
      // The claimed page has its own slug from now on.
      return taken === null || !('space' in taken) ? [] : [{ by: client, slug: taken.space.slug }];
    };
    const both = [this.client, this.#rival];
    const winners = (await Promise.all(both.map(claimBy))).flat();
    assert.equal(winners.length, 1, `${space.slug} was claimed by ${winners.length}`);
    for (const { by, slug } of winners)
      for (const notBy of both) if (notBy !== by) this.claimed.push({ slug, by, notBy });
  }

  async #delete(): Promise<void> {
    const params = { slug: this.slug };
    const does = this.deleted
      ? () => unless('conflict', this.client.restoreDeletedSpace({ params }))
      : () => this.client.deleteSpace({ params });
    await untilAnswered<unknown>(does);
    this.deleted = !this.deleted;
  }

  async #score(player: string, board: (typeof boards)[number], value: number): Promise<void> {
    if (this.standings.banned.has(player)) return;
    const idempotencyKey = `${this.slug} ${++this.#posts}`;
    const told = await this.#server.postScore({ board, player, score: value }, { idempotencyKey });
    this.standings.post({ player, board, value });
    const ranking = this.standings.ranking(board);
    const at = ranking.findIndex(({ handle }) => handle === player);
    assert.deepEqual([told.rank, told.best, told.entries], [at + 1, ranking[at]?.score, ranking.length]);
  }

  async #unlock(player: string): Promise<void> {
    if (this.standings.banned.has(player)) return;
    await this.#server.unlock({ achievement: 'founder', player });
    this.standings.unlock(player);
  }

  async #save(data: number): Promise<void> {
    const base = this.save?.version;
    const match: Record<string, string> = base === undefined ? {} : { 'if-match': `"${base}"` };
    const headers = { ...this.guest, ...match };
    const told = await this.client
      .putSave({ params: { slot }, query: { space: this.slug }, body: { data, device: 'here' } }, { headers })
      .catch((error: unknown) => {
        // The client repeats a call without an answer, and the first try may have been accepted.
        if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
        const theirs = error.details.theirs as { data: number; version: number } | null;
        assert.equal(theirs?.data, data, JSON.stringify(error.details));
        return { version: theirs.version };
      });
    this.save = { version: told.version, data };
  }

  async #ban(player: string): Promise<void> {
    const { banned } = this.standings;
    const call = { params: { slug: this.slug }, body: { handle: player } };
    const wasBanned = banned.has(player);
    await untilAnswered<unknown>(() => (wasBanned ? this.client.liftBan(call) : this.client.banPlayer(call)));
    if (wasBanned) banned.delete(player);
    else banned.add(player);
  }

  async #reset(player: string): Promise<void> {
    await this.client.deleteSubmissions({ params: { slug: this.slug }, body: { player } });
    this.standings.deleteOf(player);
  }

  #player(number: number): string {
    return this.players[number] ?? '';
  }
}

interface Made {
  readonly creator: Persona;
  readonly client: Client;
  readonly rival: Client;
  readonly players: readonly string[];
  readonly slug: string;
  readonly number: number;
  readonly mark: string;
  readonly secret: string;
  readonly listed: string;
  readonly url: string;
}

function clientOf({ test }: NodeCluster, token?: string): Client {
  return createClient({ baseUrl: test.baseUrl, token, retry: patientRetry });
}

/** Returns the answer, or null if it is refused with this code. */
async function unless<Answer>(code: string, asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  });
}
