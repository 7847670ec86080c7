import type { PageEvents } from '@spaceport/contract/sdk-protocol';
import { fault } from './faults.ts';

type Listener = (value: never) => void;

/** `All` has what listeners get, by event. */
export interface Events<All = PageEvents> {
  on<E extends keyof All>(event: E, listener: (value: All[E]) => void): () => void;
  emit<E extends keyof All>(event: E, value: All[E]): void;
}

/** Who listens to what. A listener that throws keeps nobody else from hearing. */
export function createEvents<All = PageEvents>(): Events<All> {
  const all = new Map<keyof All, Set<Listener>>();
  return {
    on(event, listener) {
      if (typeof listener !== 'function') throw fault('invalid', 'on() needs a function');
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
