import type { Fault, Round } from './choices.ts';
import type { NodeCluster } from './cluster.ts';
import type { Meeting } from './meeting.ts';
import type { Story } from './story.ts';

/** The players of the schedules, in order; the rooms are shared. */
export interface Players {
  readonly stories: readonly Story[];
  readonly meetings: readonly Meeting[];
}

/** Plays the schedules at once, each in order, and injects the faults meanwhile. */
export async function playRound(
  cluster: NodeCluster,
  { schedules, faults }: Round,
  { stories, meetings }: Players,
  say: (text: string) => void,
): Promise<void> {
  const progress = new Progress(schedules.flat().length);
  const breaking = (async () => {
    for (const { after, fault } of faults) {
      await progress.reached(after);
      const began = performance.now();
      // Also during a swap of the live version, if one is under way.
      for (const story of stories) story.visit();
      await inflict(cluster, fault);
      for (const story of stories) story.visit();
      say(`${JSON.stringify(fault)} was over after ${(performance.now() - began).toFixed(0)} ms`);
    }
  })();
  const playing = schedules.map(async (deeds, at) => {
    const story = stories[at];
    for (const deed of deeds) {
      if (deed.is === 'room') meetings[at % meetings.length]?.set(deed.pick);
      await story?.play(deed).catch((error: unknown) => {
        throw new Error(`${story.slug}, ${JSON.stringify(deed)}: ${error}`, { cause: error });
      });
      progress.step();
    }
  });
  try {
    await Promise.all(playing);
  } finally {
    progress.end();
    await Promise.allSettled(playing);
    await breaking;
  }
}

async function inflict(cluster: NodeCluster, fault: Fault): Promise<void> {
  switch (fault.is) {
    case 'kill':
      return cluster.kill(fault.process);
    case 'restart':
      return cluster.restart(fault.process);
    case 'freeze database':
      return cluster.freezeDatabase(fault.milliseconds);
    case 'freeze store':
      return cluster.freezeStore(fault.milliseconds);
    case 'cut listening':
      return cluster.cutListening();
  }
}

/** The number of finished actions. */
class Progress {
  readonly #all: number;
  #done = 0;
  readonly #waiting = new Set<{ readonly for: number; readonly go: () => void }>();

  constructor(all: number) {
    this.#all = all;
  }

  step(): void {
    this.#done++;
    this.#wake();
  }

  /** Releases everything that waits. */
  end(): void {
    this.#done = this.#all;
    this.#wake();
  }

  async reached(part: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add({ for: part * this.#all, go: resolve });
    this.#wake();
    await promise;
  }

  #wake(): void {
    for (const one of this.#waiting) {
      if (one.for > this.#done) continue;
      this.#waiting.delete(one);
      one.go();
    }
  }
}
