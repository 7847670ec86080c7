import type { CallError, Calls, Hello, Welcome } from '@spaceport/contract/sdk-protocol';
import type { LoadSecond } from '../../src/second-script.ts';
import { start } from '../../src/start.ts';
import { type FakeWindowOptions, fakeWindow } from './fake-window.ts';

export const app = 'https://arcade.example';
export const served = { app, hosted: true, env: 'live', version: 7, ascending: [], storage: true } as const;
export const loadSecond: LoadSecond = () => import('../../src/together.ts');
export const welcome: Welcome['welcome'] = {
  env: 'live',
  version: 7,
  player: { id: 'guest-1', handle: null, guest: true },
  locale: 'de-CH',
  muted: false,
  online: true,
};

type Message = { id?: number; m: keyof Calls; a: unknown[] };
type Answering = (method: string, args: unknown[]) => unknown;

/** Thrown by an `answer` function to refuse a call with `{ err }`. */
export class Refusal extends Error {
  readonly refusal: CallError;
  constructor(refusal: CallError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Starts the module in a frame, with a page around it that answers calls with `answer`. */
export function framedModule(
  answer: Answering = () => null,
  { load = loadSecond, ...options }: FakeWindowOptions & { readonly load?: LoadSecond } = {},
) {
  const window = fakeWindow({ around: app, ...options });
  const module = start({ ...served, hosted: options.around === undefined }, window.frame, load);
  const heard: Message[] = [];
  const ports: MessagePort[] = [];

  function reply(port: MessagePort, { id, m, a }: Message): void {
    heard.push({ m, a, ...(id !== undefined && { id }) });
    if (id === undefined) return;
    void (async () => {
      try {
        port.postMessage({ id, ok: await answer(m, a) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        port.postMessage({ id, err: error.refusal });
      }
    })();
  }

  /** Answers the handshake. Returns the page's end of the port. */
  function answerHello(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    port1.onmessage = ({ data }) => reply(port1, data);
    window.post({ spaceport: 1, welcome }, app, [port2]);
    return port1;
  }

  return {
    module,
    window,
    heard,
    hellos: () => window.posted.map(({ data }) => data as Hello),
    answer: answerHello,
    [Symbol.dispose]() {
      // Ends the module's search for a page.
      answerHello();
      for (const port of ports) port.close();
    },
  };
}
