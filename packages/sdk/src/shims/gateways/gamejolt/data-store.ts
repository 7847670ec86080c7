import { createKeptEntries } from '../../kept-entries.ts';
import type { ShimHost } from '../../shim-host.ts';
import type { Endpoint, Fields } from './endpoints.ts';
import { Failure } from './failure.ts';
import type { Users } from './users.ts';

const noKey = 'You must enter the key for the item you would like to retrieve data for.';
const restricted =
  'This key has restrictions placed on it. Please pass in a restriction user with valid permissions.';

/**
 * `data-store/*`: a player's data, in one slot of the saves. The data that all players share is not
 * supported.
 */
export function dataStore(host: ShimHost, users: Users): Readonly<Record<string, Endpoint>> {
  const kept = createKeptEntries(host, 'gamejolt');
  let loading: Promise<void> | undefined;
  const isGlobal = (fields: Fields) => !fields.get('username') && !fields.get('user_token');
  async function opened(fields: Fields) {
    users.mustBe(fields);
    loading ??= kept.load();
    await loading;
    return kept;
  }
  function keyOf(fields: Fields): string {
    const key = fields.get('key') ?? '';
    if (key === '') throw new Failure(noKey);
    return key;
  }
  async function put(fields: Fields, key: string, value: string): Promise<void> {
    if (!(await opened(fields)).set(key, value)) throw new Failure('There is no room for it.');
  }

  return {
    async 'data-store'(fields) {
      const key = keyOf(fields);
      const data = isGlobal(fields) ? undefined : (await opened(fields)).get(key);
      if (data === undefined) throw new Failure('No item with that key could be found.');
      return { data };
    },
    async 'data-store/get-keys'(fields) {
      if (isGlobal(fields)) return { keys: [] };
      const like = patternOf(fields.get('pattern'));
      const names = (await opened(fields)).names().filter((name) => like.test(name));
      return { keys: names.map((key) => ({ key })) };
    },
    async 'data-store/set'(fields) {
      const key = keyOf(fields);
      const data = fields.get('data');
      if (data === null) throw new Failure('You must enter data with the request.');
      if (isGlobal(fields)) throw new Failure(restricted);
      await put(fields, key, data);
      return {};
    },
    async 'data-store/update'(fields) {
      const key = keyOf(fields);
      const operation = fields.get('operation');
      const value = fields.get('value');
      if (!operation) throw new Failure('You must enter an operation with the request.');
      if (value === null) throw new Failure('You must enter an value with the request.');
      if (isGlobal(fields)) throw new Failure(restricted);
      const before = (await opened(fields)).get(key);
      if (before === undefined) throw new Failure(`There is no item with the key passed in: ${key}`);
      const data = updated(before, operation, value);
      await put(fields, key, data);
      return { data };
    },
    async 'data-store/remove'(fields) {
      const key = keyOf(fields);
      if (isGlobal(fields)) throw new Failure(restricted);
      const store = await opened(fields);
      if (store.get(key) === undefined) throw new Failure(`There is no item with the key passed in: ${key}`);
      store.remove(key);
      return {};
    },
  };
}

/** Returns the expression for a pattern in which `*` is any text. */
function patternOf(pattern: string | null): RegExp {
  if (!pattern) return /(?:)/u;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\/]/gu, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'su');
}

function updated(before: string, operation: string, value: string): string {
  if (operation === 'append') return before + value;
  if (operation === 'prepend') return value + before;
  const [one, other] = [numberIn(before), numberIn(value)];
  const results: Readonly<Record<string, number>> = {
    add: one + other,
    subtract: one - other,
    multiply: one * other,
    divide: one / other,
  };
  const result = results[operation];
  if (result === undefined)
    throw new Failure('Operation must be add, subtract, multiply, divide, append or prepend.');
  if (Number.isNaN(one))
    throw new Failure('Mathematical operations require the pre-existing data stored to also be numeric.');
  if (!Number.isFinite(result)) throw new Failure('Value must be numeric if operation is mathematical.');
  return String(result);
}

function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
