import { browserLocale } from '@spaceport/contract/browser-locale';
import type { KnownPlayer, SpaceData } from '@spaceport/contract/first-data';
import { type FrameName, frameNamePrefix, type StorageEntries } from '@spaceport/contract/sdk-protocol';
import { useEffect, useRef, useState, useSyncExternalStore } from 'preact/compat';
import { useViewer } from '../app/app.tsx';
import { rereadDocument } from '../app/reread.ts';
import { noAnswer } from '../ui/plain-errors.ts';
import { showOffer, showToast, showWin } from '../ui/toast.tsx';
import type { OtherFound } from './frame-storage.ts';
import { isFirstTime } from './once.ts';
import { createStageStore, type StageState, type StageStore } from './stage-state.ts';
import type { RunningStage } from './start-stage.ts';

export interface StageControls {
  readonly state: StageState;
  readonly store: StageStore;
  /** Returns the name for a frame's window: for a frame in the document, or for one that is created now. */
  readonly frameName: (isDrawn: boolean) => string;
  /** Starts the page's services for a frame. Returns a function that stops them. */
  readonly host: (frame: HTMLIFrameElement, release: () => void) => () => void;
  /** The key of the space's kept storage; null if it is not kept. */
  readonly keeps: { readonly id: string; readonly isAsked: boolean } | null;
  readonly setMuted: (isMuted: boolean) => void;
  /** Sends the game into a room. */
  readonly invite: (code: string) => void;
  /** Called when the report was sent or cancelled. */
  readonly reportDone: () => void;
  /** Opens the sign-in over the game. */
  readonly signIn: () => void;
  /** Updates the page and the game after somebody has signed in. */
  readonly signedIn: () => Promise<void>;
}

/** The service names a guest when the first session is opened. */
const visitor: KnownPlayer = { player: { id: '', handle: null, guest: true }, account: null };

/** The page's controls for the frame of a space, and the frame's state. */
export function useStage({
  space,
  stage,
  frame,
  playsAs,
}: Pick<SpaceData, 'space' | 'stage' | 'frame' | 'playsAs'>): StageControls {
  const viewer = useViewer();
  const [store] = useState<StageStore>(createStageStore);
  const state = useSyncExternalStore(store.subscribe, store.get, store.get);
  const running = useRef<RunningStage | null>(null);
  const latest = useRef({ space, stage, playsAs });
  latest.current = { space, stage, playsAs };

  const signIn = () => {
    if (store.get().signingIn === null) store.set({ signingIn: () => store.set({ signingIn: null }) });
  };
  const knownPlayer = (): KnownPlayer => {
    const { player, account } = store.get();
    return player === null ? (latest.current.playsAs ?? visitor) : { player, account };
  };
  const frameName = (isDrawn: boolean, kept: StorageEntries | null = null): string => {
    const { isMuted } = store.get();
    const known = {
      env: latest.current.stage.env,
      player: knownPlayer().player,
      ...(latest.current.stage.storage !== null && { kept }),
    };
    // The server that renders the document does not know the browser.
    const state: FrameName = isDrawn ? known : { ...known, locale: browserLocale(navigator), muted: isMuted };
    return frameNamePrefix + JSON.stringify(state);
  };
  /** Offers the storage that was not kept. A frame that was restarted since then can use it, too. */
  const offerOther = (other: OtherFound): void => {
    const from = other.device === '' ? 'another device' : other.device;
    const [text, label] =
      other.stands === 'mine'
        ? [`You go on with what you played here. ${from} had other progress.`, 'Use that']
        : [`You go on from ${from}. You had other progress here.`, 'Use what was here'];
    const failed = () => {
      showToast('That did not work, and nothing has changed. Try again in a moment.', 'bad');
      offerOther(other);
    };
    const run = () => void running.current?.takeOther(other).catch(failed);
    showOffer(text, { label, run }, { stays: true });
  };
  const [controls] = useState<Omit<StageControls, 'state' | 'keeps'>>(() => ({
    store,
    frameName,
    host(element, release) {
      if (frame === null) return () => {};
      const { origin } = new URL(frame);
      let isGone = false;
      const { stage: shown, space: played } = latest.current;
      const known = knownPlayer();
      // Loaded with the frame, so that only players load it.
      void import('./start-stage.ts').then(({ startStage }) => {
        if (isGone) return;
        running.current = startStage({
          frame: element,
          origin,
          stage: shown,
          slug: played.slug,
          store,
          known,
          nameWith: (kept) => frameName(false, kept),
          release,
          onOther: offerOther,
          onUnlocked(unlocked) {
            if (!shown.toasts) return;
            for (const { title, points } of unlocked) showWin('Unlocked', title, points);
          },
          onScored({ board, result, player }) {
            const title = latest.current.space.boards.find(({ key }) => key === board)?.title ?? board;
            if (player.handle === null) {
              const label = player.guest ? 'Sign in' : 'Choose a handle';
              if (isFirstTime(`sign-in ${played.slug}`))
                showOffer(`${label}, and your scores count.`, { label, run: signIn });
            } else if (result.improved && shown.toasts) showWin(`New best, place ${result.rank}`, title, 0);
          },
        });
      }, release);
      return () => {
        isGone = true;
        running.current?.stop();
        running.current = null;
      };
    },
    setMuted: (isMuted) => running.current?.setMuted(isMuted),
    invite: (code) => running.current?.invite(code),
    reportDone: () => store.set({ reported: null }),
    signIn,
    async signedIn() {
      await running.current?.signedIn();
      await rereadDocument();
    },
  }));

  const { signingIn, player } = state;
  const isViewer = player === null || (player.guest ? viewer === null : player.handle === viewer?.handle);
  // Once the player is signed in and has a handle, the dialog is finished. A page that does not know yet that the
  // session has ended still has the viewer of before.
  const isNamed = isViewer && viewer?.handle != null;
  useEffect(() => {
    if (isNamed) signingIn?.(true);
  }, [isNamed, signingIn]);
  const isGuest = player?.guest === true;
  // The dialog shows nothing to somebody who has a handle by what this page knows.
  const isUnseen = signingIn !== null && isGuest && viewer?.handle != null;
  // Another tab has signed in or out: the page around the game follows.
  const follows = signingIn === null ? (isGuest ? 'guest' : 'account') : isUnseen ? 'dialog' : null;
  const outdated = isViewer ? null : follows;
  // Or the session has ended while its player played, who cannot know, and would win the rest for nobody.
  const takeAway = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (outdated === null) return;
    takeAway.current?.();
    void catchUp(store, () => running.current?.signedIn()).then((isSignedOut) => {
      if (!isSignedOut) return;
      takeAway.current = showOffer(
        'You are signed out, and play on as a guest.',
        { label: 'Sign in', run: controls.signIn },
        { stays: true },
      );
    });
  }, [outdated, controls, store]);
  // They may sign in by another button than that of the message.
  useEffect(() => {
    if (!isGuest) takeAway.current?.();
  }, [isGuest]);
  const keeps = stage.storage === null ? null : { id: stage.storage, isAsked: viewer !== null };
  return { ...controls, state, keeps };
}

/**
 * Reads the page again, whose viewer is not the player. Returns whether a guest plays who has to be told.
 * @param become called if somebody has signed in since the guest began to play, of which the game hears nothing else
 */
async function catchUp(store: StageStore, become: () => Promise<void> | undefined): Promise<boolean> {
  const isGuest = () => store.get().player?.guest === true;
  let isSignedIn = true;
  try {
    isSignedIn = (await rereadDocument()).frame.viewer !== null;
    if (isSignedIn && isGuest()) await become();
  } catch {
    // The page stays as it was.
  }
  if (!isGuest()) return false;
  const { signingIn } = store.get();
  // The dialog is not drawn for somebody who is signed in, and the game would wait for it for ever.
  if (signingIn && isSignedIn) {
    showToast(noAnswer, 'bad');
    signingIn(false);
  }
  return signingIn === null;
}
