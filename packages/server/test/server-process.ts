import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const ownMain = new URL('../bin/spaceport-server.mjs', import.meta.url).pathname;
const root = new URL('../../..', import.meta.url).pathname;
const startMs = 90_000;

/** The service as a separate process, for tests of a real process, such as its sudden end. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  /** The port on which it listens, which differs from its address's port if BASE_URL is set. */
  readonly listeningPort: number;
  /** Resolves when the process has ended, with its exit code or signal. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it with a signal and waits. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `main.ts` with these settings; resolves when it is ready. `preload` is a module to load first,
 * `onLine` gets each line of output, and `main` is the program of another version. With `npmStart` npm starts
 * it, as the leader of a process group, and `child` is npm.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  {
    preload,
    role = 'all',
    onLine = () => {},
    main = ownMain,
    npmStart = false,
  }: {
    preload?: URL;
    role?: 'all' | 'serve' | 'work';
    onLine?: (line: string) => void;
    main?: string;
    npmStart?: boolean;
  } = {},
): Promise<ServerProcess> {
  const flags = preload ? ['--import', preload.href] : [];
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE: cache } = process.env;
  const [program, ...words] = npmStart
    ? ['npm', '--prefix', root, 'start', '--']
    : [process.execPath, ...flags, main];
  const child = spawn(program ?? '', [...words, role], {
    detached: npmStart,
    env: {
      PATH,
      HOME,
      // What is preloaded is read before the server opens a cache itself, and would be stripped of its types
      // each time.
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
      NODE_NO_WARNINGS: '1',
      DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const ready = await new Promise<{ address: string; port: number }>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Otherwise the process that runs the tests would never end.
      child.kill('SIGKILL');
      reject(new Error(`not ready in ${startMs} ms: ${errors}`));
    }, startMs);
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    lines.on('line', (line) => {
      onLine(line);
      if (!line.includes('"msg":"ready"')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
    void ended.then(({ code, signal }) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code ?? signal} before it was ready: ${errors}`));
    });
  });
  return {
    child,
    baseUrl: ready.address,
    port: Number(new URL(ready.address).port),
    listeningPort: ready.port,
    ended,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}
