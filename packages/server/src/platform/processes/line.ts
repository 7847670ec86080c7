/** One process's side of a pipe between two processes. */
export interface Channel {
  /** Sends a message. If the other side is gone, the message is lost without an error. */
  send(message: object): void;
  listen(hear: (message: unknown) => void): void;
}

/**
 * The questions that may be asked, by name, with the types of the argument and the answer. All of it is JSON.
 */
export type Questions = Readonly<Record<string, { readonly given: unknown; readonly answered: unknown }>>;

/** The functions that answer the questions. */
export type Answers<Asked extends Questions> = {
  readonly [Name in keyof Asked]: (
    given: Asked[Name]['given'],
  ) => Asked[Name]['answered'] | Promise<Asked[Name]['answered']>;
};

type Message =
  | { readonly ask: string; readonly id: number; readonly given: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly refuse: number; readonly why: string };

/** The other process has ended, or did not answer in time. */
export class LineBroken extends Error {
  override name = 'LineBroken';
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Questions and answers between two processes of one server. `Theirs` are the questions that the other side
 * answers, `Ours` those that this side answers.
 */
export class Line<Theirs extends Questions, Ours extends Questions> {
  readonly #channel: Channel;
  readonly #answers: Answers<Ours>;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #broken: LineBroken | null = null;

  constructor(channel: Channel, answers: Answers<Ours>) {
    this.#channel = channel;
    this.#answers = answers;
    channel.listen((message) => this.#hear(message));
  }

  /**
   * Asks the other process.
   * @param withinMs the limit of the wait; none if absent
   * @throws `LineBroken`, or an error with the message of the one that the other process threw
   */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    given: Theirs[Name]['given'],
    withinMs?: number,
  ): Promise<Theirs[Name]['answered']> {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer =
      withinMs === undefined
        ? null
        : setTimeout(() => this.#settle(id)?.reject(new LineBroken(`no answer to «${name}»`)), withinMs);
    this.#waiting.set(id, {
      resolve(value) {
        if (timer) clearTimeout(timer);
        resolve(value);
      },
      reject(error) {
        if (timer) clearTimeout(timer);
        reject(error);
      },
    });
    this.#channel.send({ ask: name, id, given });
    // The answer has the type of its question, because both sides are of one build.
    return promise as Promise<Theirs[Name]['answered']>;
  }

  /** Fails all waiting questions: the other side is gone. */
  break(why: string): void {
    this.#broken = new LineBroken(why);
    for (const { reject } of this.#waiting.values()) reject(this.#broken);
    this.#waiting.clear();
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #hear(heard: unknown): void {
    const message = heard as Message;
    if ('ask' in message) void this.#answer(message);
    else if ('answer' in message) this.#settle(message.answer)?.resolve(message.value);
    else if ('refuse' in message) this.#settle(message.refuse)?.reject(new Error(message.why));
  }

  async #answer({ ask, id, given }: Extract<Message, { ask: string }>): Promise<void> {
    try {
      const answer = this.#answers[ask as keyof Ours];
      if (answer === undefined) throw new Error(`nobody answers «${ask}»`);
      this.#channel.send({ answer: id, value: (await answer(given)) ?? null });
    } catch (error) {
      this.#channel.send({ refuse: id, why: error instanceof Error ? error.message : String(error) });
    }
  }
}
