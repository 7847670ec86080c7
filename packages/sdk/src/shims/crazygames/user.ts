import type { Player } from '../../types.ts';
import { neutralPicture } from '../picture.ts';
import { postScore } from '../post-score.ts';
import type { ShimHost } from '../shim-host.ts';
import { sdkError } from './sdk-error.ts';
import { systemInfo } from './system-info.ts';

interface User {
  readonly id: string;
  readonly username: string;
  readonly profilePictureUrl: string;
}

const notSignedIn = sdkError('userNotAuthenticated', 'The player is not signed in.');

/** The user module. For this SDK a guest is no user. */
export function createUser(host: ShimHost) {
  const { spaceport, frame } = host;
  const listeners = new Map<unknown, () => void>();
  let isAsking = false;
  const post = (score: unknown) => {
    // The call has no answer, so a refused score is reported to the space's creator only.
    if (typeof score === 'number') void postScore(host, score).catch(spaceport.error);
  };

  return {
    /** If the space is opened directly, no page around it can sign the player in. */
    isUserAccountAvailable: frame.parent !== frame,
    systemInfo: systemInfo(frame.navigator.userAgent, spaceport.locale),
    getUser: async () => userOf(spaceport.player.get()),
    async showAuthPrompt(): Promise<User | null> {
      if (isAsking) throw sdkError('showAuthPromptInProgress', 'The player is being asked already.');
      if (!spaceport.player.get().guest)
        throw sdkError('userAlreadySignedIn', 'The player is signed in already.');
      isAsking = true;
      try {
        return userOf(await spaceport.player.signIn());
      } catch (error) {
        if (codeOf(error) === 'cancelled')
          throw sdkError('userCancelled', 'The player does not sign in now.');
        throw unexpected(error);
      } finally {
        isAsking = false;
      }
    },
    async getUserToken(): Promise<string> {
      try {
        return await spaceport.player.token();
      } catch (error) {
        throw codeOf(error) === 'sign_in_required' || spaceport.player.get().guest
          ? notSignedIn
          : unexpected(error);
      }
    },
    async getXsollaUserToken(): Promise<string> {
      throw sdkError('unexpectedError', 'Nothing is sold here.');
    },
    async showAccountLinkPrompt() {
      if (spaceport.player.get().guest) throw notSignedIn;
      return { response: 'no' };
    },
    addAuthListener(listener: (user: User | null) => void) {
      listeners.get(listener)?.();
      listeners.set(
        listener,
        spaceport.on('player', (player) => listener(userOf(player))),
      );
    },
    removeAuthListener(listener: unknown) {
      listeners.get(listener)?.();
      listeners.delete(listener);
    },
    listFriends: async ({ page = 1, size = 0 }: { page?: number; size?: number } = {}) => ({
      friends: [],
      page,
      size,
      hasMore: false,
      total: 0,
    }),
    addScore: post,
    addScoreEncrypted: (score: unknown, _encrypted: string) => post(score),
    submitScore: (sent?: { readonly score?: unknown }) => post(sent?.score),
  };
}

function userOf({ id, handle, guest }: Player): User | null {
  return guest || handle === null ? null : { id, username: handle, profilePictureUrl: neutralPicture };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function unexpected(error: unknown) {
  return sdkError('unexpectedError', error instanceof Error ? error.message : String(error));
}
