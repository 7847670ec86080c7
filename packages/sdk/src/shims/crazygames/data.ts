import { mostKeptBytes } from '../kept-bytes.ts';
import { createKeptEntries } from '../kept-entries.ts';
import type { ShimHost } from '../shim-host.ts';
import { sdkError } from './sdk-error.ts';

/** The data module: a storage with synchronous reads, kept in a slot of the player's saves. */
export function createData(host: ShimHost) {
  const kept = createKeptEntries(host, 'crazygames');
  function begun() {
    if (!kept.isBegun()) throw sdkError('sdkNotInitialized', 'Call and await CrazyGames.SDK.init() first.');
    return kept;
  }
  return {
    load: kept.load,
    data: {
      getItem: (key: string): string | null => begun().get(String(key)) ?? null,
      setItem(key: string, value: unknown) {
        if (!begun().set(String(key), String(value)))
          throw sdkError('unexpectedError', `The data of a game is ${mostKeptBytes} bytes at most.`);
      },
      removeItem: (key: string) => begun().remove(String(key)),
      clear: () => begun().clear(),
      syncUnityGameData() {},
    },
  };
}
