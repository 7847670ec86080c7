import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createKeptStore } from './kept-store.ts';

/** A factory whose database aborts every transaction at its first request. */
function failingFactory(error: Error): IDBFactory {
  const transaction: Partial<IDBTransaction> = {
    error: error as DOMException,
    objectStore: () => ({ get: () => refused() }) as unknown as IDBObjectStore,
  };
  const refused = () => {
    const request: Partial<IDBRequest> = { error: error as DOMException };
    queueMicrotask(() => {
      request.onerror?.call(request as IDBRequest, new Event('error'));
      transaction.onabort?.call(transaction as IDBTransaction, new Event('abort'));
    });
    return request;
  };
  const open = () => {
    const request: Partial<IDBOpenDBRequest> = {
      result: { transaction: () => transaction } as unknown as IDBDatabase,
    };
    queueMicrotask(() => request.onsuccess?.call(request as IDBOpenDBRequest, new Event('success')));
    return request;
  };
  return { open } as unknown as IDBFactory;
}

describe('a database of the page', () => {
  it('gives one error of a transaction that the browser aborts, and leaves none unhandled', async () => {
    const unhandled = mock.fn();
    process.on('unhandledRejection', unhandled);
    const full = new Error('the disk is full');
    const store = createKeptStore(() => failingFactory(full));
    await assert.rejects(
      store.change('key', (before) => before),
      full,
    );
    await turn();
    process.off('unhandledRejection', unhandled);
    assert.equal(unhandled.mock.callCount(), 0);
  });
});
