import { goProgram } from './go-programs.ts';
import { end, freePort, start, untilAnswers } from './processes.ts';

const caddy = { name: 'caddy', command: 'github.com/caddyserver/caddy/v2/cmd/caddy', version: 'v2.11.9' };

export interface Caddy extends AsyncDisposable {
  readonly version: string;
  readonly pid: number | undefined;
  readonly baseUrl: string;
}

/** Starts Caddy's file server over a folder with its defaults, without a request log. */
export async function startCaddy(root: string, workFolder: string): Promise<Caddy> {
  const program = await goProgram(caddy);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = start('server', program, ['file-server', '--root', root, '--listen', `127.0.0.1:${port}`], {
    env: { PATH: '', HOME: workFolder },
  });
  await untilAnswers(`${baseUrl}/index.html`, child);
  return { version: caddy.version, pid: child.pid, baseUrl, [Symbol.asyncDispose]: () => end(child) };
}
