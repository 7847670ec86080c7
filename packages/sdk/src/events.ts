import type { PageEvents } from '@spaceport/contract/sdk-protocol';
import { fault } from './faults.ts';

type Listener = (value: never) => void;

/** `All` maps each event to the value that its listeners get. */
export interface Events<All = PageEvents> {
  on<E extends keyof All>(event: E, listener: (value: All[E]) => void): () => void;
  emit<E extends keyof All>(event: E, value: All[E]): void;
}

/** The listeners by event. If one throws, the others are still called. */
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
          // Rethrown later as an uncaught error: the console shows it, and it is reported like other uncaught
          // errors.
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}
