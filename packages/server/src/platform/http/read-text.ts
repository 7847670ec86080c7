import type { IncomingMessage } from 'node:http';

/** Reads a body, whose length the caller has limited, as text. Resolves to null if the client leaves before its end. */
export function readText(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      const [only] = parts;
      resolve(String(parts.length === 1 && only ? only : Buffer.concat(parts)));
    });
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
