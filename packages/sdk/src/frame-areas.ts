import type { StorageEntries } from '@spaceport/contract/sdk-protocol';
import { createMirror, type Mirror } from './mirror.ts';

export type Frame = Window & typeof globalThis;
export const areas = ['localStorage', 'sessionStorage'] as const;
type Area = (typeof areas)[number];

/** The property as the space sees it. `isMirror` is false until it is known that the browser's own is refused. */
interface Getter {
  (): Storage;
  isMirror?: boolean;
}

/**
 * Returns a function that finds the browser's own storage, even after the property was replaced. It returns null
 * if the browser refuses the storage: then even reading the property throws. The first look takes a phone some
 * milliseconds, so nothing looks before the space does.
 */
export function findOwn(frame: Frame, area: Area): () => Storage | null {
  const getter = Object.getOwnPropertyDescriptor(frame, area)?.get;
  const find = (read: () => Storage) => {
    try {
      const storage = read();
      storage.getItem('');
      return storage;
    } catch {
      return null;
    }
  };
  if (getter) return () => find(() => getter.call(frame));
  const found = find(() => frame[area]);
  return () => found;
}

/** Puts a mirror in place of a storage. `onRead` is called each time before the space gets it. */
export function putMirror(frame: Frame, area: Area, { storage }: Mirror, onRead = () => {}): void {
  const getter: Getter = () => {
    onRead();
    return storage;
  };
  getter.isMirror = true;
  define(frame, area, getter);
}

/**
 * Replaces a storage by memory if the browser refuses it, at the moment when the space first asks for it. Returns
 * a function that returns the entries of the memory, or null if there is none yet.
 */
export function replaceRefused(
  frame: Frame,
  area: Area,
  first: StorageEntries = [],
): () => StorageEntries | null {
  const own = findOwn(frame, area);
  let found: Storage | null | undefined;
  let memory: Mirror | undefined;
  const getter: Getter = () => {
    if (found === undefined) found = own();
    if (found) return found;
    memory ??= createMirror(first, likeOf(frame), () => {});
    putMirror(frame, area, memory);
    return memory.storage;
  };
  define(frame, area, getter);
  return () => memory?.entries() ?? null;
}

/** Gives a nested page of the space the storages of the page around it. */
export function shareStorage(frame: Frame, around: Window): void {
  for (const area of areas) {
    try {
      // Reading it decides whether it is a mirror.
      void around[area];
      const there = Object.getOwnPropertyDescriptor(around, area);
      if ((there?.get as Getter | undefined)?.isMirror) Object.defineProperty(frame, area, there ?? {});
    } catch {
      // The outer page is the service's, or the property cannot be redefined.
    }
  }
}

function define(frame: Frame, area: Area, get: Getter): void {
  try {
    Object.defineProperty(frame, area, { configurable: true, enumerable: true, get });
  } catch {
    // The property cannot be redefined.
  }
}

/** Returns the prototype of the frame's storages, for `instanceof`. */
export function likeOf(frame: Frame): object {
  return frame.Storage?.prototype ?? {};
}
