import type { StageStore } from './stage-state.ts';

/** Opens the dialog over the frame. One, whoever asked first: the others are answered that nobody signed in. */
export function askToSignIn(store: StageStore): Promise<boolean> {
  return new Promise((resolve) => {
    if (store.get().signingIn !== null) return resolve(false);
    store.set({
      signingIn: (isSignedIn) => {
        store.set({ signingIn: null });
        resolve(isSignedIn);
      },
    });
  });
}
