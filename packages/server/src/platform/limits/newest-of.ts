import { LRUCache } from 'lru-cache';

/**
 * Returns a map that keeps the `count` most recently used entries. It grows with its entries, while an
 * LRUCache with `max` allocates room for all of them when it is made: 4 MB for 100,000.
 */
export function newestOf<V extends {}>(count: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: count, sizeCalculation: () => 1 });
}
