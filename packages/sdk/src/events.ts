import type { PageEvents } from '@spaceport/contract/sdk-protocol';
import type { Emit } from './backend.ts';
import { fault } from './faults.ts';

type Listener = (value: never) => void;

export interface Events {
  on<E extends keyof PageEvents>(event: E, listener: (value: PageEvents[E]) => void): () => void;
  emit: Emit;
}

/** Who listens to what. A listener that throws keeps nobody else from hearing. */
export function createEvents(): Events {
  const all = new Map<string, Set<Listener>>();
  return {
    on(event, listener) {
      if (typeof listener !== 'function') throw fault('invalid', `on('${event}') needs a function`);
      const listeners = all.get(event) ?? new Set();
      all.set(event, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
    emit(event, value) {
      for (const listener of [...(all.get(event) ?? [])]) {
        try {
          listener(value as never);
        } catch (error) {
          // As if the browser had called it: it shows in the console, and is told like all that nobody caught.
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}
