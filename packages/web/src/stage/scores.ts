import {
  aroundMe,
  type PlayResult,
  readPlayedScores,
  startRun,
  submitScore,
} from '@spaceport/contract/player';
import type { Entry, Json, Result } from '@spaceport/contract/sdk-protocol';
import { idempotencyHeader } from '@spaceport/contract/server-calls';
import { wrong } from './arguments.ts';
import { toBase64 } from './bytes.ts';
import { newKey, type OutboxItem, oldestRunMs, type Unsent } from './outbox.ts';
import { type Play, stageClient } from './play.ts';
import { isAway, StageError } from './stage-error.ts';

export interface ScoresOptions {
  readonly space: string;
  readonly play: Play;
  /** Puts a write into the outbox of the lane's player. */
  readonly keep: (what: Unsent, lane: string) => Promise<number>;
  readonly isWaiting: () => Promise<boolean>;
  readonly onScored: (board: string, score: number, result: PlayResult) => void;
  /** Called with the number of runs without a score. */
  readonly onRuns: (open: number) => void;
}

interface OpenRun {
  readonly board: string;
  /** Epoch ms. */
  readonly startedAt: number;
}

const usualLimit = 10;
const mostEntries = 100;
const periods: ReadonlySet<unknown> = new Set(['all', 'day', 'week', 'month']);

/** Returns the calls for the player's runs and scores. */
export function createScores({ space, play, keep, isWaiting, onScored, onRuns }: ScoresOptions) {
  const runs = new Map<string, OpenRun>();

  const post = async (
    what: {
      run?: string;
      board: string;
      score: number;
      meta?: Json | undefined;
      replay?: Uint8Array | undefined;
    },
    lane: string,
    key: string,
  ): Promise<PlayResult> => {
    const { run, board, score, meta, replay } = what;
    const result = await play.withSession(
      (session, headers) =>
        stageClient.call(
          submitScore,
          {
            body: {
              ...(run === undefined ? { session } : { run }),
              board,
              score,
              ...(meta === undefined ? {} : { meta }),
              ...(replay === undefined ? {} : { replay: toBase64(replay) }),
            },
          },
          { headers: { ...headers, [idempotencyHeader]: key } },
        ),
      lane,
    );
    onScored(board, score, result);
    return result;
  };

  return {
    async start(board: string): Promise<{ run: string; seed: string }> {
      const startedAt = Date.now();
      const started = await play.withSession((session, headers) =>
        stageClient.call(startRun, { body: { session, board } }, { headers }),
      );
      runs.set(started.run, { board, startedAt });
      onRuns(runs.size);
      return started;
    },
    /**
     * Posts a run's score, which counts once. While the service cannot be reached it waits, up to a day after
     * the run began.
     */
    async submitRun(
      run: string,
      score: number,
      more: { meta?: Json | undefined; replay?: Uint8Array | undefined },
    ) {
      const lane = play.lane();
      const open = runs.get(run);
      if (!open) throw new StageError('closed', 'The run is over, or of another load of the page.');
      const scored = { run, board: open.board, score, ...more };
      const end = () => {
        runs.delete(run);
        onRuns(runs.size);
      };
      if (!(await isWaiting())) {
        try {
          const result = await post(scored, lane, newKey());
          end();
          return result;
        } catch (error) {
          if (!isAway(error)) throw error;
        }
      }
      if (Date.now() - open.startedAt >= oldestRunMs)
        throw new StageError('closed', 'The run is older than a day.');
      const { meta, replay } = more;
      const waiting: Unsent = {
        is: 'score',
        run,
        board: open.board,
        score,
        startedAt: open.startedAt,
        ...(meta === undefined ? {} : { meta }),
        ...(replay === undefined ? {} : { replay }),
      };
      await keep(waiting, lane);
      end();
      // The rank is known only after the score was sent.
      return {
        rank: null,
        best: score,
        improved: false,
        entries: null,
        next: null,
        queued: true,
      } satisfies Result;
    },
    submit: (board: string, score: number, meta: Json | undefined) =>
      post({ board, score, meta }, play.lane(), newKey()),
    async entries(
      board: string,
      isAround: boolean,
      asked: Readonly<Record<string, unknown>>,
    ): Promise<Entry[]> {
      const { period, limit = usualLimit } = asked;
      if (period !== undefined && !periods.has(period))
        throw wrong('period', 'must be all, day, week or month');
      if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > mostEntries)
        throw wrong('limit', `must be a whole number from 1 to ${mostEntries}`);
      const query = {
        space,
        board,
        limit,
        ...(period === undefined ? {} : { period: String(period) }),
        ...(isAround ? { around: aroundMe } : {}),
      };
      const { entries } = await play.asPlayer((headers) =>
        stageClient.call(readPlayedScores, { query }, { headers }),
      );
      return entries.map(({ rank, handle, score, you }) => ({ rank, handle, score, you }));
    },
    /** Sends a waiting score, with its key. */
    async send({ what, lane, key }: OutboxItem): Promise<void> {
      if (what.is === 'score') await post(what, lane, key);
    },
    /** Forgets open runs, because the frame has loaded again. */
    forget() {
      runs.clear();
      onRuns(0);
    },
  };
}
