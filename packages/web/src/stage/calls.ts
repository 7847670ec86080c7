import { ApiError } from '@spaceport/client/api-error';
import type { StageData } from '@spaceport/contract/first-data';
import { issuePlayerToken } from '@spaceport/contract/players';
import type { Method, Player } from '@spaceport/contract/sdk-protocol';
import { storageSlot } from '@spaceport/contract/storage-mirror';
import { type Arguments, argumentsOf, wrong } from './arguments.ts';
import type { StageContent } from './content.ts';
import type { Play } from './play.ts';
import { stageClient } from './play.ts';
import type { createProgress } from './progress.ts';
import type { StageRooms } from './rooms.ts';
import type { StageSaves } from './saves.ts';
import type { createScores } from './scores.ts';
import { OtherPlayer, StageError } from './stage-error.ts';

export interface CallsOptions {
  readonly stage: StageData;
  /** The space's slug; `stage.space` may be the label of a preview. */
  readonly slug: string;
  readonly play: Play;
  readonly scores: ReturnType<typeof createScores>;
  readonly progress: ReturnType<typeof createProgress>;
  readonly saves: StageSaves;
  readonly rooms: StageRooms;
  readonly content: () => Promise<StageContent>;
  /** Opens the sign-in over the space. Resolves to false if the player closed it. */
  readonly askToSignIn: () => Promise<boolean>;
}

type Call = (given: Arguments) => Promise<unknown>;

/**
 * Returns the functions for a frame's calls, by method. The page sets the space, version and player, never an
 * argument.
 */
export function createCalls(
  options: CallsOptions,
): (method: string, given: readonly unknown[]) => Promise<unknown> {
  const { stage, slug, play, scores, progress, saves, rooms, content, askToSignIn } = options;

  const signIn = async (): Promise<Player> => {
    const { guest, handle } = play.player();
    if (!guest && handle !== null) return play.player();
    if (await askToSignIn()) return play.player();
    throw new StageError('cancelled', 'The player does not sign in now.');
  };

  const token = async (): Promise<string> => {
    if (play.player().guest) throw new StageError('sign_in_required', 'A guest has no token.');
    const where =
      stage.env === 'live' ? {} : stage.space === slug ? { sandbox: true } : { preview: stage.space };
    const { token: issued, handle } = await stageClient
      .call(issuePlayerToken, { body: { space: slug, ...where } })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'unauthorized')
          throw new StageError('sign_in_required', 'Nobody is signed in any more.');
        throw error;
      });
    if (handle === play.player().handle) return issued;
    // Another account has signed in, in another tab.
    await play.renew();
    throw new OtherPlayer();
  };

  const calls: Readonly<Record<Exclude<Method, 'storage.write'>, Call>> = {
    'player.signIn': signIn,
    'player.token': token,
    run: (given) => scores.start(given.text(0, 'board')),
    'run.submit': (given) => {
      const { replay } = given.record(2, 'more');
      if (replay !== undefined && !(replay instanceof Uint8Array))
        throw wrong('replay', 'must be a Uint8Array');
      const more = argumentsOf([given.record(2, 'more').meta]);
      return scores.submitRun(given.text(0, 'run'), given.number(1, 'score'), {
        meta: more.json(0, 'meta'),
        replay,
      });
    },
    'scores.submit': (given) =>
      scores.submit(given.text(0, 'board'), given.number(1, 'score'), given.json(2, 'meta')),
    'scores.top': (given) => scores.entries(given.text(0, 'board'), false, given.record(1, 'page')),
    'scores.around': (given) => scores.entries(given.text(0, 'board'), true, given.record(1, 'page')),
    'stats.add': (given) => progress.add(given.text(0, 'key'), given.number(1, 'by')),
    'stats.set': (given) => progress.set(given.text(0, 'key'), given.number(1, 'value')),
    'achievements.unlock': (given) => progress.unlock(given.text(0, 'key')),
    'achievements.list': () => progress.list(),
    'saves.get': (given) => saves.get(slotOf(given)),
    'saves.set': (given) => saves.set(slotOf(given), given.data(1, 'data'), given.number(2, 'base')),
    'saves.list': () => saves.list(),
    'saves.delete': (given) => saves.delete(slotOf(given)),
    'content.publish': async (given) =>
      (await content()).publish(given.text(0, 'kind'), given.json(1, 'data'), given.json(2, 'title')),
    'content.list': async (given) => (await content()).list(given.text(0, 'kind'), given.record(1, 'query')),
    'content.get': async (given) => (await content()).get(given.text(0, 'id')),
    'content.like': async (given) =>
      (await content()).like(given.text(0, 'id'), given.json(1, 'on') !== false),
    'content.remove': async (given) => (await content()).remove(given.text(0, 'id')),
    'content.report': async (given) => (await content()).report(given.text(0, 'id')),
    'rooms.enter': (given) => rooms.enter(given.text(0, 'how'), given.record(1, 'more')),
  };

  return async (method, given) => {
    const call = Object.hasOwn(calls, method) ? calls[method as keyof typeof calls] : undefined;
    if (!call) throw new StageError('unsupported', `There is no method ${method}.`);
    return call(argumentsOf(given));
  };
}

/** Reads a slot's name. The slot of the page's own storage is refused. */
function slotOf(given: Arguments): string {
  const slot = given.text(0, 'slot');
  if (slot === storageSlot) throw wrong('slot', 'must be one of 1 to 40 of a-z, 0-9, _ and -');
  return slot;
}
