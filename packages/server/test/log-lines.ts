import { Writable } from 'node:stream';
import { logInto, type ServiceLog } from '../src/platform/log.ts';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly reqId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly seconds?: number;
  readonly err?: { readonly message: string };
}

/** Returns a log at `info`, and the lines that are written to it. */
export function readableLog(): { readonly log: ServiceLog; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).split('\n')) if (line !== '') lines.push(JSON.parse(line));
      done();
    },
  });
  return { log: logInto(() => sink, 'info'), lines };
}
