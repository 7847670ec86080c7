import { randomBytes } from 'node:crypto';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';
import { type Answering, signUp, type Visitor, visitor } from './visitor.ts';

/** Somebody who plays on the page of a space: what the page calls for them. */
export interface PlayingVisitor extends Omit<Visitor, 'post'> {
  /** Opens a space that has one version, by default. */
  open(space: string, version?: number | null): Promise<RawAnswer>;
  /** The session of a space that opens. @throws where it does not */
  session(space: string, version?: number | null): Promise<string>;
  /** Starts a run. @throws where it does not start */
  run(session: string, board: string): Promise<{ run: string; seed: string }>;
  /** What a post to `/api/player/…` is answered. */
  post(
    what: 'runs' | 'scores' | 'stats' | 'achievements' | 'plays' | 'errors',
    body: object,
    headers?: Record<string, string>,
  ): Promise<RawAnswer>;
}

/** An account, with a handle where one is given, that plays in a browser. */
export async function accountPlayer(service: TestService, handle?: string): Promise<PlayingVisitor> {
  return playing(await signUp(service, handle === undefined ? {} : { handle }));
}

/** A guest with a key of its own. */
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

/** Nobody that is known. */
export function nobodyPlayer(service: TestService): PlayingVisitor {
  return playing(visitor(service));
}

function playing(who: Visitor): PlayingVisitor {
  const open = (space: string, version: number | null = 1) =>
    who.call('POST', '/api/player/sessions', { space, version });
  return {
    ...who,
    open,
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
