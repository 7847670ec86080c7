import { browserLocale } from '@spaceport/contract/browser-locale';
import type { KnownPlayer, StageData } from '@spaceport/contract/first-data';
import type { PlayResult } from '@spaceport/contract/player';
import type { EarnedAchievement } from '@spaceport/contract/player-progress';
import type { PageEvents, Player, StorageEntries } from '@spaceport/contract/sdk-protocol';
import { isAwayFromPage, onAwayFromPage } from '../ui/away-from-page.ts';
import { askToSignIn } from './ask-to-sign-in.ts';
import { createCalls } from './calls.ts';
import { hostFrame } from './frame-host.ts';
import { createFrameStorage, type OtherFound } from './frame-storage.ts';
import { onGuestKeyElsewhere } from './guest-key.ts';
import { createKeptSlot } from './kept-slot.ts';
import { createKeptStore } from './kept-store.ts';
import { latePart } from './late-part.ts';
import { createLateRooms, invitedTo } from './late-rooms.ts';
import { createLeaving } from './leaving.ts';
import { isMuted, keepMuted } from './muted.ts';
import { createOutbox, type OutboxItem } from './outbox.ts';
import { createPlay } from './play.ts';
import { createProgress } from './progress.ts';
import { createStageSaves } from './saves.ts';
import { createScores } from './scores.ts';
import { createSending } from './sending.ts';
import { createSigns } from './signs.ts';
import type { StageStore } from './stage-state.ts';
import { takeOver } from './take-over.ts';
import { createTelling } from './telling.ts';
import { watchVersion } from './watch-version.ts';

export interface StageOptions {
  readonly frame: HTMLIFrameElement;
  readonly origin: string;
  readonly stage: StageData;
  readonly slug: string;
  readonly store: StageStore;
  /** The player as the frame before, or the document, knew it. */
  readonly known: KnownPlayer;
  /** Returns the name of the frame's window, with the kept storage in it. */
  readonly nameWith: (kept: StorageEntries | null) => string;
  /** Lets the frame load. */
  readonly release: () => void;
  /** Called if this browser's and the account's storage were changed independently. */
  readonly onOther: (other: OtherFound) => void;
  readonly onUnlocked: (unlocked: readonly EarnedAchievement[]) => void;
  readonly onScored: (scored: { board: string; score: number; result: PlayResult; player: Player }) => void;
}

/** The services of the page for a running frame. */
export interface RunningStage {
  setMuted(isMuted: boolean): void;
  /** Sends the space the code of a room that the player has chosen. */
  invite(code: string): void;
  /** Called when somebody has signed in on this page: the account takes the guest's records over, once. */
  signedIn(): Promise<void>;
  /** Restarts the space with the player's other storage. @throws the service's errors */
  takeOther(other: OtherFound): Promise<void>;
  stop(): void;
}

const outbox = createOutbox();
const keptStore = createKeptStore();
/** Limit for finding the player: the frame waits two seconds for the page's answer. */
const knownAfterMs = 1_500;

/** Starts the page's services for a frame, until the frame is removed. */
export function startStage(options: StageOptions): RunningStage {
  const { frame, origin, stage, slug, store, known } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const play = createPlay({
    stage,
    known,
    onPlayer(player) {
      if (signal.aborted) return;
      progress.forget();
      store.set({ player, account: play.account() });
      send('player', player);
      const slot = createKeptSlot(stage.space, play);
      void storage?.become(player.guest ? null : player.handle, slot).catch(() => {});
      void sendWaiting();
    },
  });

  const sendOne = async (item: OutboxItem) => {
    if (item.what.is === 'save') await saves.send(item);
    else if (item.what.is === 'score') await scores.send(item);
    else await progress.send(item);
  };
  const { keep, isWaiting, sendWaiting } = createSending({ outbox, play, send: sendOne, signal });

  const storage =
    stage.storage === null
      ? null
      : createFrameStorage({
          id: stage.storage,
          who: known.player.handle,
          store: keptStore,
          slot: createKeptSlot(stage.space, play),
          send: (changes) => host.send({ ev: 'storage', d: changes }),
          onOther: options.onOther,
          // A frame that is displayed did not wait: this tab does not know yet what another one keeps (kept-store.ts).
          mayRun: () => frame.getClientRects().length > 0,
          reload: () => store.set({ reloads: store.get().reloads + 1 }),
        });
  void giveKept();
  async function giveKept(): Promise<void> {
    const kept = (await storage?.begin().catch(() => null)) ?? null;
    if (signal.aborted || storage?.isOver()) return;
    try {
      if (storage && frame.contentWindow) frame.contentWindow.name = options.nameWith(kept && [...kept]);
    } catch {
      // The frame has begun without storage, because nothing was kept.
    }
    options.release();
  }

  const leaving = createLeaving();
  const won = () => store.set({ wins: store.get().wins + 1 });
  const scores = createScores({
    space: stage.space,
    play,
    keep,
    isWaiting,
    onRuns: leaving.setRuns,
    onScored(board, score, result) {
      const player = play.player();
      store.set({ scored: { board, score, result, isRanked: player.handle !== null } });
      won();
      options.onScored({ board, score, result, player });
    },
  });
  const progress = createProgress({
    space: stage.space,
    play,
    keep,
    isWaiting,
    onUnlocked(unlocked) {
      won();
      options.onUnlocked(unlocked);
    },
  });
  const saves = createStageSaves({ space: stage.space, play, outbox, keep });
  const rooms = createLateRooms({ space: stage.space, play, store });
  const content = latePart(async () =>
    (await import('./content.ts')).createStageContent({
      space: stage.space,
      play,
      onReport: (made) => store.set({ reported: made }),
    }),
  );
  const call = createCalls({
    stage,
    slug,
    play,
    scores,
    progress,
    saves,
    rooms,
    content,
    askToSignIn: () => askToSignIn(store),
  });

  /**
   * Sends the guest's waiting writes as the account: for this space now, for other spaces when they are
   * opened.
   */
  const becomeAccount = (open: () => Promise<Player>) => async () => {
    await open();
    const account = play.account();
    if (account !== null) await outbox.handOver(account);
  };
  /** An account that signed in elsewhere on the service takes the guest over, too. */
  const begin = async () =>
    !known.player.guest && (await takeOver(becomeAccount(play.load))) ? play.player() : play.load();
  const telling = createTelling(play);
  const signs = createSigns(store, () => performance.now());

  const host = hostFrame({
    frame,
    origin,
    onHello() {
      scores.forget();
      leaving.setPlaying(false);
      telling.loaded();
      signs.forget();
      rooms.lobby(false);
      rooms.invite(null);
      rooms.left();
    },
    async welcome() {
      const opening = begin().catch(() => play.player());
      const player = await Promise.race([opening, after(knownAfterMs).then(() => play.player())]);
      store.set({ isConnected: true, player, account: play.account() });
      void sendWaiting();
      const invited = invitedTo(location.search);
      return {
        env: stage.env,
        version: stage.version,
        player,
        muted: isMuted(),
        locale: browserLocale(navigator),
        online: navigator.onLine,
        ...(invited !== null && { invited }),
      };
    },
    async call(method, given) {
      if (method === 'storage.write' && storage) return storage.write(given[0]);
      if (method.startsWith('saves.') && !store.get().savesHere) store.set({ savesHere: true });
      return call(method, given);
    },
    notice(name, [given, more]) {
      if (name === 'ready' && isAwayFromPage()) send('pause', null);
      if (name === 'playing') {
        leaving.setPlaying(given === true);
        telling.playing(given === true);
        signs.playing(given === true);
      }
      if (name === 'loading') signs.loading(given);
      if (name === 'celebrate') signs.celebrate();
      if (name === 'roomLeft') rooms.left(given);
      if (name === 'roomChanged') rooms.changed(given, more);
      if (name === 'lobby') rooms.lobby(given === true);
      if (name === 'invite') rooms.invite(given);
      if (name === 'begun') telling.begun(given, more);
      if (name === 'error') telling.failed(given);
    },
  });

  function send<Name extends keyof PageEvents>(ev: Name, d: PageEvents[Name]): void {
    // The event and its value come from one entry of the type.
    host.send({ ev, d } as Parameters<typeof host.send>[0]);
  }

  let wasAway = isAwayFromPage();
  const stopAway = onAwayFromPage(() => {
    const isAway = isAwayFromPage();
    if (isAway === wasAway) return;
    wasAway = isAway;
    send(isAway ? 'pause' : 'resume', null);
  });
  addEventListener(
    'online',
    () => {
      send('online', true);
      void sendWaiting();
    },
    { signal },
  );
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') void storage?.tell();
    },
    { signal },
  );
  addEventListener('pagehide', () => storage?.tellLast(), { signal });
  addEventListener('offline', () => send('online', false), { signal });
  const stopKeys = onGuestKeyElsewhere((isGone) => {
    // If the key was removed, an account has taken the guest over.
    void (isGone ? play.signIn(true) : play.renew()).catch(() => {});
  });
  const stopVersions = watchVersion(stage, (version) => {
    store.set({ newerVersion: version });
    send('update', { version });
  });
  store.set({ isMuted: isMuted() });

  return {
    setMuted(muted) {
      keepMuted(muted);
      store.set({ isMuted: muted });
      send('mute', muted);
    },
    invite: (code) => send('invited', code),
    async signedIn() {
      // The guest's waiting writes are sent first, as the guest, so that they are taken over with the rest.
      await sendWaiting();
      if (!(await takeOver(becomeAccount(() => play.signIn(true))))) await play.signIn(false);
      await sendWaiting();
    },
    takeOther: async (other) => storage?.use(other),
    stop() {
      stopping.abort();
      stopAway();
      stopKeys();
      stopVersions();
      leaving.stop();
      storage?.stop();
      telling.stop();
      host.close();
      rooms.lobby(false);
      rooms.invite(null);
      store.set({ isConnected: false, scored: null, newerVersion: null, reported: null, room: null });
    },
  };
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
