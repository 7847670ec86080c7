import type { StageStore } from './stage-state.ts';

/** Opens the sign-in dialog over the frame. Further requests while it is open are answered with false. */
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
