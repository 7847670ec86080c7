import type { Calls, FrameState, Method, Notices, PageEvents } from '@spaceport/contract/sdk-protocol';

/** The module's facts about its environment. The page's messages update them. */
export interface State extends Omit<FrameState, 'env'> {
  env: FrameState['env'] | 'local';
  version: number | null;
  /** The code of a room, after the page has said that the player came by the room's link. */
  invited?: string;
}

/** Answers the module's calls: the page around the frame, or a stand-in in the frame itself. */
export interface Backend {
  readonly state: State;
  /** Resolves when the first answer has arrived; never rejects. */
  readonly reached: Promise<void>;
  /** @throws `SpaceportError`s */
  call<M extends Method>(method: M, args: Calls[M]['args']): Promise<Calls[M]['answer']>;
  /**
   * Sends a notice. Over the rate limit it waits, and replaces a waiting one of the same name that is `about`
   * the same thing.
   */
  tell<N extends keyof Notices>(notice: N, args: Notices[N], about?: string): void;
}

/** Called by a backend for each event around the space. */
export type Emit = <E extends keyof PageEvents>(event: E, value: PageEvents[E]) => void;
