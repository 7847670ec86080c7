import type { Session } from '../accounts/sign-in/sessions.ts';
import { type PageAnswer, type PageRequest, signInFirst } from './page-scope.ts';

/** The request of somebody who is signed in. */
export type SignedIn = PageRequest & { readonly session: Session };

/** Returns a page's function that sends people who are not signed in to the sign-in page first. */
export function signedIn(
  handle: (page: SignedIn) => Promise<PageAnswer>,
): (page: PageRequest) => Promise<PageAnswer> {
  return async (page) => {
    const { session } = page;
    return session === null ? signInFirst(page) : handle({ ...page, session });
  };
}
