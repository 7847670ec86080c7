import { isOutage } from './outage.ts';

/**
 * Deletes items one after the other, and goes on after a failure: what fails once may fail every time, and must not
 * keep the others.
 * @param remove returns false for an item that is not to be deleted any more
 * @returns how many items were deleted
 * @throws an outage at once, and an AggregateError in the end if some could not be deleted
 */
export async function deleteEach<Item>(
  items: readonly Item[],
  what: string,
  remove: (item: Item) => Promise<boolean>,
): Promise<number> {
  const failures: unknown[] = [];
  let deleted = 0;
  for (const item of items) {
    try {
      if (await remove(item)) deleted++;
    } catch (error) {
      if (isOutage(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${what} were not deleted`);
  return deleted;
}
