import type { UploadTransport } from '@spaceport/client/source';

/** A file that is being uploaded. */
export interface Sending {
  readonly path: string;
  readonly size: number;
  /** Bytes handed to the network. */
  readonly sent: number;
}

/** The files that are being uploaded, the oldest upload first. It changes at most ten times a second. */
export interface UploadWatch {
  readonly transport: UploadTransport;
  readonly subscribe: (listener: () => void) => () => void;
  readonly sending: () => readonly Sending[];
}

const everyMs = 100;

/** Wraps a transport, and reports its running uploads. */
export function watchUploads(transport: UploadTransport): UploadWatch {
  const running = new Map<symbol, Sending>();
  const listeners = new Set<() => void>();
  let shown: readonly Sending[] = [];
  let isWaiting = false;
  const changed = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      shown = [...running.values()];
      for (const listener of listeners) listener();
    }, everyMs);
  };
  return {
    async transport(request) {
      const key = Symbol();
      const { path, size } = request.file;
      let sent = 0;
      const note = (bytes: number) => {
        sent += bytes;
        running.set(key, { path, size, sent });
        changed();
      };
      note(0);
      try {
        await transport({
          ...request,
          onBytes(bytes) {
            note(bytes);
            request.onBytes(bytes);
          },
        });
      } finally {
        running.delete(key);
        changed();
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sending: () => shown,
  };
}
