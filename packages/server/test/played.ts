import { randomBytes } from 'node:crypto';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';
import { type Answering, signUp, type Visitor, visitor } from './visitor.ts';

/** A player on the page of a space, with the page's calls. */
export interface PlayingVisitor extends Omit<Visitor, 'post'> {
  /** Opens a space, by default at version 1. */
  open(space: string, version?: number | null): Promise<RawAnswer>;
  /** Opens a space. Returns the session. @throws an error if it does not open */
  session(space: string, version?: number | null): Promise<string>;
  /** Starts a run. @throws an error if it does not start */
  run(session: string, board: string): Promise<{ run: string; seed: string }>;
  /** Sends a form from one of the service's own pages. */
  form: Visitor['post'];
  /** Posts to `/api/player/…`. Returns the answer. */
  post(
    what: 'runs' | 'scores' | 'stats' | 'achievements' | 'plays' | 'errors',
    body: object,
    headers?: Record<string, string>,
  ): Promise<RawAnswer>;
}

/** Returns an account that plays in a browser, with a handle if one is given. */
export async function accountPlayer(service: TestService, handle?: string): Promise<PlayingVisitor> {
  return playing(await signUp(service, handle === undefined ? {} : { handle }));
}

/** Returns a guest with its own key. */
export function guestPlayer(
  service: Answering,
  key: string = randomBytes(32).toString('base64url'),
): PlayingVisitor & { readonly key: string } {
  const own = visitor(service);
  const authorization = `Guest ${key}`;
  const call: Visitor['call'] = (method, path, body, headers = {}) =>
    own.call(method, path, body, { authorization, ...headers });
  return { ...playing({ ...own, call }), key };
}

/** Returns a player without session and key. */
export function nobodyPlayer(service: TestService): PlayingVisitor {
  return playing(visitor(service));
}

/** Adds the calls of a space's page to those of a visitor. */
export function playing(who: Visitor): PlayingVisitor {
  const open = (space: string, version: number | null = 1) =>
    who.call('POST', '/api/player/sessions', { space, version });
  return {
    ...who,
    open,
    form: who.post,
    post: (what, body, headers) => who.call('POST', `/api/player/${what}`, body, headers),
    async run(session, board) {
      const answer = await who.call('POST', '/api/player/runs', { session, board });
      if (answer.status !== 200) throw new Error(answer.text());
      return answer.json();
    },
    async session(space, version = 1) {
      const answer = await open(space, version);
      if (answer.status !== 200) throw new Error(answer.text());
      return answer.json().session;
    },
  };
}
