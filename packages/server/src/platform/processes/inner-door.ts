import type { Config } from '../../config.ts';
import { type Listener, openListener, type Upgrades } from '../http/listener.ts';
import type { Together } from './together.ts';

/** The address at which other processes of ours connect sockets for rooms that this process has. */
export interface InnerDoor {
  /** `host:port`, as in a URL. */
  readonly address: string;
  /** Accepts connections from now on. Before, all are refused. */
  open(upgrades: Upgrades): void;
  close(): Promise<void>;
}

/**
 * Opens the inner door. A single process uses its public port. One of several has a port of its own, because
 * another process could answer on the common port.
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

/** Listens on the first free port from `first` on; on any free port if `first` is 0. */
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
