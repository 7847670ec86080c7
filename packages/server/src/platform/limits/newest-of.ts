import { LRUCache } from 'lru-cache';

/**
 * A map that keeps what was used last, `count` entries at most. It grows with its entries: a cache that is given `max`
 * takes the memory of all of them when it is made, 4 MB for 100,000.
 */
export function newestOf<V extends {}>(count: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: count, sizeCalculation: () => 1 });
}
