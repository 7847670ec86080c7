import type { Config } from '../../config.ts';
import { type Listener, openListener, type Upgrades } from '../http/listener.ts';
import type { Together } from './together.ts';

/** Where the other processes of ours send sockets for rooms that this one has. */
export interface InnerDoor {
  /** `host:port`, as it stands in an address. */
  readonly address: string;
  /** From now on they are taken here; before, nothing is. */
  open(upgrades: Upgrades): void;
  close(): Promise<void>;
}

/**
 * A process that is alone is reached where everybody reaches it. One of several has a port of its own: on the common one
 * another process could answer.
 */
export async function openInnerDoor({
  config,
  together,
}: {
  readonly config: Pick<Config, 'NODE_ADDRESS' | 'NODE_PORTS'>;
  readonly together: Pick<Together, 'processes'>;
}): Promise<InnerDoor> {
  const { host, port } = config.NODE_ADDRESS;
  if (together.processes === 1) {
    return { address: addressOf(host, port), open() {}, async close() {} };
  }
  const listener = await listenOnOwn(host, config.NODE_PORTS, together.processes);
  listener.handle((_request, response) => response.writeHead(404).end());
  return {
    address: addressOf(host, listener.port),
    open: (upgrades) => listener.upgrade(upgrades),
    close: () => listener.drain(0),
  };
}

/** On the first port from `first` on that none of the others has; any free one where that is 0. */
async function listenOnOwn(host: string, first: number, processes: number): Promise<Listener> {
  for (let port = first; ; port++) {
    try {
      return await openListener(host, port, { isShared: false });
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (isTaken && first !== 0 && port < first + processes - 1) continue;
      const message = `Nothing can listen at ${addressOf(host, port)} for the rooms of this process: see NODE_ADDRESS and NODE_PORTS.`;
      throw new Error(message, { cause: error });
    }
  }
}

function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
