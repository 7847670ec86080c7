import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Arena, makeArena, makePlayers, type ScoreAnswer } from '../../test/arena.ts';
import { type ModelBoard, RanksModel } from '../../test/ranks-model.ts';
import { startService, type TestService } from '../../test/service.ts';
import { tries } from '../../test/tries.ts';
import type { Env } from '../platform/db/schema.ts';
import { firstPeriod, windowAt } from './ranking.ts';
import { rebuildBoard } from './rebuild.ts';
import { verifyRanks } from './verify-ranks.ts';

/** A small size, so that a few dozen entries make many segments and groups, which split and merge. */
const segmentSize = 2;
const playerCount = 24;
const runs = tries(5);
const stepsOfARun = 60;

const keys = ['one', 'two', 'three'] as const;
const firstBoards: ModelBoard[] = [
  { key: 'one', sort: 'desc', keep: 'best', periods: ['all'] },
  { key: 'two', sort: 'asc', keep: 'last', periods: ['day', 'all', 'month'] },
  { key: 'three', sort: 'desc', keep: 'sum', periods: ['week', 'day'] },
];

// Few values, so that ties are common. Some of them cannot be handled by integer arithmetic.
const score = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -3, max: 12 }) },
  fc.constantFrom(0.1, 0.2, 0.3, -0.1, 1 / 3, 2 ** 53, -(2 ** 53), -0, 1e-9),
);
const key = fc.constantFrom(...keys);
const player = fc.nat(playerCount - 1);
const env = fc.constantFrom<Env>('live', 'live', 'sandbox');
const post = fc.record({ key, player, score, env });
const rules = fc.record({
  sort: fc.constantFrom<ModelBoard['sort']>('asc', 'desc'),
  keep: fc.constantFrom<ModelBoard['keep']>('best', 'last', 'sum'),
  periods: fc.shuffledSubarray<ModelBoard['periods'][number]>(['all', 'day', 'week', 'month'], {
    minLength: 1,
  }),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('post' as const), post }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      posts: fc.array(post, { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      posts: fc.array(post, { minLength: 2, maxLength: 20 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ban' as const), player }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lift' as const), player }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('declare' as const), key, rules }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reset' as const), player: fc.option(player) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 80 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Post = typeof post extends fc.Arbitrary<infer One> ? One : never;

describe('ranks after any sequence of changes', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: { RANK_SEGMENT_SIZE: String(segmentSize), PLAYER_SCORES_PER_MINUTE: '1000000' },
    });
  });
  after(() => service.close());

  it('equal the ranks from counting all submissions, at every step', { timeout: 400_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: stepsOfARun }), async (steps) => {
        const stage = await Stage.open(service);
        for (const one of steps) await stage.take(one);
        await stage.check();
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
});

/** A space of its own, and its expected state. */
class Stage {
  readonly #service: TestService;
  readonly #arena: Arena;
  readonly #players: string[];
  readonly #model = new RanksModel(firstBoards);

  private constructor(service: TestService, arena: Arena, players: string[]) {
    this.#service = service;
    this.#arena = arena;
    this.#players = players;
  }

  static async open(service: TestService): Promise<Stage> {
    const arena = await makeArena(service, firstBoards);
    return new Stage(service, arena, await makePlayers(service, playerCount));
  }

  async take(one: Step): Promise<void> {
    switch (one.do) {
      case 'post':
        return this.#post([one.post], async ([body]) => [await this.#arena.post(body)]);
      case 'batch':
        return this.#batch(one.posts);
      case 'together':
        return this.#post(one.posts, (bodies) => Promise.all(bodies.map((body) => this.#arena.post(body))));
      case 'delete':
        return this.#delete(one.which);
      case 'ban':
      case 'lift':
        return this.#ban(this.#player(one.player), one.do === 'ban');
      case 'declare':
        return this.#declare(one.key, one.rules);
      case 'rebuild':
        return this.#rebuild(one.key);
      case 'reset':
        return this.#reset(one.player);
      case 'wait':
        this.#service.clock.advance({ hours: one.hours });
        return this.#check();
    }
  }

  /** Checks the rankings, also with the checker for live installations. */
  async check(): Promise<void> {
    await this.#check();
    const { differences, submissions } = await verifyRanks(this.#service.service.platform, this.#arena.slug);
    assert.deepEqual(differences, []);
    const counted = this.#model.submissions.filter((one) => !this.#model.banned.has(one.player));
    assert.equal(submissions, counted.length);
  }

  #player(index: number): string {
    return this.#players[index] ?? '';
  }

  #body({ key: board, player: who, score: posted, env: where }: Post) {
    return { board, player: this.#player(who), score: posted, sandbox: where === 'sandbox' };
  }

  async #post(
    posts: readonly Post[],
    send: (bodies: unknown[]) => Promise<{ status: number; text(): string; json(): ScoreAnswer }[]>,
  ): Promise<void> {
    const answers = await send(posts.map((one) => this.#body(one)));
    const taken: [Post, ScoreAnswer][] = [];
    for (const [index, one] of posts.entries()) {
      const answer = answers[index];
      const expected = this.#model.banned.has(this.#player(one.player)) ? 403 : 201;
      assert.equal(answer?.status, expected, answer?.text() ?? 'no answer');
      if (answer?.status === 201) taken.push([one, answer.json()]);
    }
    this.#note(taken);
    // For posts made at the same time only the final state is known, unless one transaction handled them all.
    if (posts.length === 1) this.#checkAnswers(taken);
    await this.#check(touchedBy(posts));
  }

  async #batch(posts: readonly Post[]): Promise<void> {
    const answer = await this.#arena.post({ scores: posts.map((one) => this.#body(one)) });
    const hasBanned = posts.some((one) => this.#model.banned.has(this.#player(one.player)));
    assert.equal(answer.status, hasBanned ? 403 : 201, answer.text());
    if (answer.status === 201) {
      const results: ScoreAnswer[] = answer.json().results;
      const taken = posts.map((one, index): [Post, ScoreAnswer] => [one, results[index] as ScoreAnswer]);
      this.#note(taken);
      this.#checkAnswers(taken);
    }
    await this.#check(touchedBy(posts));
  }

  #note(taken: readonly (readonly [Post, ScoreAnswer])[]): void {
    for (const [{ key: board, env: where, score: posted }, { submission }] of taken) {
      this.#model.submissions.push({
        id: submission.id,
        board,
        env: where,
        player: submission.player,
        score: posted,
        at: Date.parse(submission.created_at),
      });
    }
  }

  #checkAnswers(taken: readonly (readonly [Post, ScoreAnswer])[]): void {
    for (const [{ key: board, env: where }, { submission, rank, best, entries }] of taken) {
      const window = windowAt(firstPeriod(this.#model.board(board)), Date.parse(submission.created_at));
      const ranking = this.#model.ranking(board, where, window);
      const own = ranking.find(({ handle }) => handle === submission.player);
      assert.deepEqual([rank, best, entries], [own?.rank, (own?.score ?? 0) + 0, ranking.length]);
    }
  }

  async #delete(which: number): Promise<void> {
    const { submissions } = this.#model;
    const submission = submissions[which % Math.max(1, submissions.length)];
    if (!submission) return;
    const path = `/api/spaces/${this.#arena.slug}/scores/${submission.id}`;
    const answer = await this.#arena.creator.call('DELETE', path);
    assert.equal(answer.status, 200, answer.text());
    this.#model.submissions = submissions.filter((one) => one !== submission);
    await this.#check(({ key, env: where }) => key === submission.board && where === submission.env);
  }

  async #ban(handle: string, banned: boolean): Promise<void> {
    const path = `/api/spaces/${this.#arena.slug}/bans`;
    const answer = await this.#arena.creator.call(banned ? 'POST' : 'DELETE', path, { handle });
    assert.deepEqual(answer.json(), { banned, handle });
    if (banned) this.#model.banned.add(handle);
    else this.#model.banned.delete(handle);
    await this.#check();
  }

  async #declare(board: string, changed: Omit<ModelBoard, 'key'>): Promise<void> {
    const answer = await this.#arena.putBoards([{ key: board, ...changed }]);
    assert.equal(answer.status, 200, answer.text());
    Object.assign(this.#model.board(board), changed);
    await this.#check(({ key }) => key === board);
  }

  async #rebuild(board: string): Promise<void> {
    const { database } = this.#service.service.platform;
    const rows = await database.db
      .selectFrom('boards')
      .selectAll()
      .where('space_id', '=', this.#arena.spaceId)
      .where('key', '=', board)
      .execute();
    for (const row of rows) await database.transaction((tx) => rebuildBoard(tx, row, segmentSize));
    await this.#check(({ key }) => key === board);
  }

  async #reset(index: number | null): Promise<void> {
    const path = `/api/v1/hosting/spaces/${this.#arena.slug}/reset`;
    const handle = index === null ? undefined : this.#player(index);
    const body = { categories: ['scores'], ...(handle === undefined ? {} : { player: handle }) };
    const answer = await this.#arena.creator.call('POST', path, body);
    const isGone = ({ env: where, player: who }: { env: Env; player: string }) =>
      where === 'sandbox' && (handle === undefined || who === handle);
    const gone = this.#model.submissions.filter(isGone).length;
    assert.deepEqual(answer.json(), { deleted: { scores: gone } });
    this.#model.submissions = this.#model.submissions.filter((one) => !isGone(one));
    await this.#check(({ env: where }) => where === 'sandbox');
  }

  /** Checks the rankings of the given boards, live and in the sandbox. The default is all boards. */
  async #check(isTouched: (board: Ranked) => boolean = () => true): Promise<void> {
    const now = this.#service.clock.now();
    for (const board of this.#model.boards) {
      for (const where of ['live', 'sandbox'] as const) {
        if (!isTouched({ key: board.key, env: where })) continue;
        for (const window of this.#model.windows(board, where, now)) {
          const path = `/api/spaces/${this.#arena.slug}/boards/${board.key}/entries`;
          const query = `limit=100&period=${window}&sandbox=${where === 'sandbox'}`;
          const answer = await this.#arena.creator.call('GET', `${path}?${query}`);
          assert.equal(answer.status, 200, answer.text());
          const { entries, total } = answer.json();
          const expected = this.#model.ranking(board.key, where, window);
          assert.deepEqual(
            entries.map(({ submitted_at: _, ...entry }: { submitted_at: string }) => entry),
            expected.map((entry) => ({ ...entry, score: entry.score + 0 })),
          );
          assert.equal(total, expected.length);
        }
      }
    }
  }
}

type Ranked = Pick<Post, 'env'> & { readonly key: string };

const touchedBy =
  (posts: readonly Post[]) =>
  ({ key: board, env: where }: Ranked): boolean =>
    posts.some((one) => one.key === board && one.env === where);
