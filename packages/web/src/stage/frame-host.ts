import { sizeOf } from '@spaceport/contract/message-size';
import {
  type Answer,
  type PageEvent,
  protocol,
  sdkLimits,
  type Welcome,
} from '@spaceport/contract/sdk-protocol';
import { storageLimits } from '@spaceport/contract/storage-mirror';
import { createGate, type Gate } from './gate.ts';
import { loadOfHello, type Message, readMessage } from './read-message.ts';
import { StageError, toCallError } from './stage-error.ts';

const gateLimits = {
  most: sdkLimits.messagesPerSecond,
  // What the module may send in two seconds.
  waiting: 2 * sdkLimits.messagesPerSecond,
  // A frame that sends more is ignored until it loads again.
  flood: 2_000,
};

/** Loads of the frame in any ten seconds: each opens a session. The module repeats a hello that is ignored. */
const mostLoads = 10;
const loadsMs = 10_000;

export interface FrameHostOptions {
  readonly frame: HTMLIFrameElement;
  /** The origin of the frame's address. Messages from other origins are ignored. */
  readonly origin: string;
  /** Makes the welcome for a load of the frame. */
  readonly welcome: () => Promise<Welcome['welcome']>;
  /** Called when a new load has said hello. The state of the previous load has ended. */
  readonly onHello: () => void;
  readonly call: (method: string, given: readonly unknown[]) => Promise<unknown>;
  readonly notice: (name: string, given: readonly unknown[]) => void;
}

export interface FrameHost {
  send(event: PageEvent): void;
  close(): void;
}

/**
 * The page's end of the port to a space's frame. The page knows the frame and its origin itself. The content
 * of messages is not trusted: it is limited in size, and never makes this code throw.
 */
export function hostFrame({ frame, origin, welcome, onHello, call, notice }: FrameHostOptions): FrameHost {
  let port: MessagePort | null = null;
  let gate: Gate | null = null;
  let load: string | null = null;
  let loadTimes: number[] = [];
  const now = () => performance.now();

  const closePort = () => {
    port?.close();
    gate?.close();
    port = null;
  };

  const onMessage = (event: MessageEvent<unknown>) => {
    // A sandboxed frame without an origin has the origin «null», which is never accepted.
    if (event.source === null || event.source !== frame.contentWindow) return;
    if (event.origin !== origin || origin === 'null') return;
    const said = loadOfHello(event.data);
    if (said === null || said === load) return;
    closePort();
    const at = now();
    loadTimes = loadTimes.filter((time) => at - time < loadsMs);
    if (loadTimes.length >= mostLoads) return;
    loadTimes.push(at);
    load = said;
    onHello();
    void greet(said, event.source as WindowProxy);
  };

  /** Sends a port to a load, as soon as the player is known. */
  const greet = async (said: string, to: WindowProxy) => {
    const known = await welcome();
    if (load !== said) return;
    const { port1, port2 } = new MessageChannel();
    port = port1;
    listen(port1);
    const message: Welcome = { spaceport: protocol, welcome: known };
    to.postMessage(message, { targetOrigin: origin, transfer: [port2] });
  };

  const listen = (opened: MessagePort) => {
    const ofPort = createGate(gateLimits, now);
    gate = ofPort;
    let waiting = 0;
    const answer = (message: Answer) => {
      if (port === opened) opened.postMessage(message);
    };
    const refuse = (message: Message, error: StageError) => {
      if (message.is !== 'notice' && message.id !== null) answer({ id: message.id, err: toCallError(error) });
    };
    const refuseAsTooMany = (message: Message) => {
      const most = `at most ${sdkLimits.messagesPerSecond} messages a second`;
      refuse(message, new StageError('rate_limited', most, { retryAfter: 1 }));
    };
    const answerCall = (message: Extract<Message, { is: 'call' }>) => {
      if (waiting >= sdkLimits.waitingCalls) return refuseAsTooMany(message);
      waiting += 1;
      void call(message.m, message.a)
        .then(
          (ok) => answer({ id: message.id, ok }),
          (error: unknown) => answer({ id: message.id, err: toCallError(error) }),
        )
        .finally(() => {
          waiting -= 1;
        });
    };
    /** Returns what is done with a message when it is let through. */
    const admitted = (message: Message): (() => void) => {
      if (message.is === 'odd')
        return () => refuse(message, new StageError('invalid', 'no call of this protocol'));
      const most = message.m === 'storage.write' ? storageLimits.messageBytes : sdkLimits.messageBytes;
      // Its content is not kept while it waits.
      if (sizeOf(message.a, most) > most) {
        const dropped = { ...message, a: [] };
        return () => refuse(dropped, new StageError('too_large', 'at most 256 KiB in one message'));
      }
      return () => (message.is === 'notice' ? notice(message.m, message.a) : answerCall(message));
    };
    opened.onmessage = (event: MessageEvent<unknown>) => {
      // A message of a flood is never deserialised, and one over the limit is not looked through.
      const passage = ofPort.take(() => admitted(readMessage(event.data)));
      if (passage === 'flood') closePort();
      if (passage === 'over') refuseAsTooMany(readMessage(event.data));
    };
  };

  addEventListener('message', onMessage);
  return {
    send: (event) => port?.postMessage(event),
    close() {
      removeEventListener('message', onMessage);
      load = null;
      closePort();
    },
  };
}
