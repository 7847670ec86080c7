type Row = { id: number };

/**
 * Returns a database in memory, with the calls that the outbox makes, for its tests. Transactions come one after the
 * other, and each ends after its last request.
 */
export function memoryDatabase(): IDBFactory {
  const stores = { queue: new Map<number, Row>(), sent: new Map<number, Row>() };
  let last = 0;
  let before = Promise.resolve();
  const transactionOf = () => {
    const transaction: { oncomplete?: () => void; objectStore?: unknown } = {};
    const turn = before;
    const ended = Promise.withResolvers<void>();
    before = ended.promise;
    let open = 0;
    const asked = (act: () => unknown) => {
      const request: { result: unknown; onsuccess?: () => void } = { result: undefined };
      open += 1;
      void turn.then(() => {
        request.result = act();
        request.onsuccess?.();
        setImmediate(() => {
          open -= 1;
          if (open > 0) return;
          transaction.oncomplete?.();
          ended.resolve();
        });
      });
      return request;
    };
    transaction.objectStore = (name: keyof typeof stores) => {
      const rows = stores[name];
      return {
        get: (id: number) => asked(() => rows.get(id)),
        getAll: () => asked(() => [...rows.values()]),
        put: (row: Row) => asked(() => rows.set(row.id, row)),
        add: (row: object) =>
          asked(() => {
            last += 1;
            rows.set(last, { ...row, id: last });
            return last;
          }),
        delete: (id: number | null) => asked(() => id === null || rows.delete(id)),
        index: () => ({
          getAll: (of: string) =>
            asked(() => [...rows.values()].filter((row) => 'lane' in row && row.lane === of)),
        }),
      };
    };
    return transaction;
  };
  const open = () => {
    const request: { result: unknown; onsuccess?: () => void } = { result: { transaction: transactionOf } };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  return { open } as unknown as IDBFactory;
}
Object.assign(globalThis, { IDBKeyRange: { upperBound: () => null } });
