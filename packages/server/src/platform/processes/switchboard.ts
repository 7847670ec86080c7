import type { Clock } from '../clock/clock.ts';
import { Counts } from './counts.ts';
import { type Channel, Line } from './line.ts';
import type { AskedOfPrimary, AskedOfWorker, Place } from './protocol.ts';
import type { Figures, Stage } from './together.ts';

/** A worker that does not answer others within this time is stuck, and answers no requests either. */
const patienceMs = 1_000;
/** How many lists of ended workers' figures are kept apart. More of them are combined. */
const mostDeparted = 8;

interface Member {
  readonly line: Line<AskedOfWorker, AskedOfPrimary>;
  readonly place: Place;
  /** True once it listens. Before that it keeps nothing that could become stale. */
  isThere: boolean;
  figures: Figures;
}

/** The primary's work for its workers: it counts for them, and passes on what one of them asks of all. */
export class Switchboard {
  readonly #counts: Counts;
  readonly #stage: () => Stage;
  readonly #members = new Map<string, Member>();
  #departed: Figures[] = [];
  #own: (() => Promise<Figures>) | null = null;

  constructor(clock: Clock, stage: () => Stage) {
    this.#counts = new Counts(clock);
    this.#stage = stage;
  }

  /** Adds a worker under an id of its own. `onReady` is called when the worker answers requests. */
  add(id: string, channel: Channel, place: Place, onReady: () => void): void {
    const member: Member = {
      place,
      isThere: false,
      figures: [],
      line: new Line<AskedOfWorker, AskedOfPrimary>(channel, {
        hello: () => {
          member.isThere = true;
          return place;
        },
        ready: () => {
          onReady();
          return null;
        },
        count: (calls) => this.#counts.answer(calls, id),
        spread: async (topics) => {
          const others = this.#there().filter((other) => other !== member);
          await Promise.allSettled(others.map(({ line }) => line.ask('hear', topics, patienceMs)));
          return null;
        },
        figures: () => this.#figures(),
        states: () => this.#ofEach((line) => line.ask('state', null, patienceMs)),
        browser: async () => (await this.#jobLine()?.ask('browser', null, patienceMs)) ?? null,
        // No time limit: the answer may have to start a browser.
        canTakePictures: async () => (await this.#jobLine()?.ask('canTakePictures', null)) ?? null,
        stage: () => this.#stage(),
      }),
    };
    this.#members.set(id, member);
  }

  /** Removes a worker that has ended. What it held is released, and its counts stay in the sums. */
  remove(id: string): void {
    const member = this.#members.get(id);
    this.#members.delete(id);
    this.#counts.releaseAll(id);
    if (!member) return;
    member.line.break('the process has ended');
    if (member.figures.length > 0) this.#departed.push(member.figures);
  }

  /** Returns whether a worker answers in time. One that does not listen yet has nothing to answer. */
  async answers(id: string, withinMs: number): Promise<boolean> {
    const member = this.#members.get(id);
    if (!member?.isThere) return true;
    return member.line.ask('state', null, withinMs).then(
      () => true,
      () => false,
    );
  }

  /** Tells all workers to end. */
  endAll(drainSeconds: number): void {
    for (const { line } of this.#members.values()) void line.ask('end', { drainSeconds }).catch(() => {});
  }

  #there(): Member[] {
    return [...this.#members.values()].filter(({ isThere }) => isThere);
  }

  #jobLine(): Member['line'] | undefined {
    return this.#there().find(({ place }) => place.runsJobs)?.line;
  }

  /** Returns the answers of all workers; those that do not answer are left out. */
  async #ofEach<T>(ask: (line: Member['line']) => Promise<T>): Promise<T[]> {
    const answers = await Promise.allSettled(this.#there().map(({ line }) => ask(line)));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** Returns the figures of all workers. For a worker that does not answer, it uses the last ones. */
  async #figures(): Promise<Figures[]> {
    const { countersOf, folded, ownProcessFigures } = await import('./figures.ts');
    this.#own ??= ownProcessFigures();
    await Promise.all(
      this.#there().map(async (member) => {
        member.figures = await member.line.ask('figures', null, patienceMs).catch(() => member.figures);
      }),
    );
    if (this.#departed.length > mostDeparted) {
      const taken = this.#departed.splice(0).map(countersOf);
      this.#departed.push(await folded(taken));
    }
    return [
      ...this.#there().map(({ figures }) => figures),
      ...this.#departed.map(countersOf),
      await this.#own(),
    ];
  }
}
