import type { Calls, FrameState, Method, Notices, PageEvents } from '@spaceport/contract/sdk-protocol';

/** What the module knows of where it runs. Changes as the page says so. */
export interface State extends Omit<FrameState, 'env'> {
  env: FrameState['env'] | 'local';
  version: number | null;
  /** The code of a room, once the page has said that the player came by the link to it. */
  invited?: string;
}

/** Who answers the module's calls: the page around the frame, or a stand-in in the frame itself. */
export interface Backend {
  readonly state: State;
  /** Resolves when the first answer is there; never rejects. */
  readonly reached: Promise<void>;
  /** @throws `SpaceportError`s */
  call<M extends Method>(method: M, args: Calls[M]['args']): Promise<Calls[M]['answer']>;
  tell<N extends keyof Notices>(notice: N, args: Notices[N]): void;
}

/** How a backend tells of what happened around the space. */
export type Emit = <E extends keyof PageEvents>(event: E, value: PageEvents[E]) => void;
