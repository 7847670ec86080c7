import { browserLocale } from '@spaceport/contract/browser-locale';
import { sizeOf } from '@spaceport/contract/message-size';
import {
  type Answer,
  type FrameState,
  type Hello,
  type PageEvent,
  protocol,
  type ServedModule,
  type StorageChange,
  sdkLimits,
  type Welcome,
} from '@spaceport/contract/sdk-protocol';
import { storageLimits } from '@spaceport/contract/storage-mirror';
import type { Backend, Emit, State } from './backend.ts';
import { fault } from './faults.ts';
import { createRate } from './rate.ts';

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Sent {
  readonly id?: number;
  readonly m: string;
  readonly a: readonly unknown[];
}

/**
 * The page may begin to listen long after the frame has started, so hello is repeated: soon again, relative to the
 * time that has passed.
 */
const firstAskMs = 50;
const longerBy = 1.25;
/** Messages that waited for the page are sent in groups of this size, within the page's rate limit. */
const sentAtOnce = 10;
const sentEveryMs = 500;
/** Interval at which notices over the rate limit are tried again. */
const noticeAgainMs = 100;

export interface FramedOptions {
  readonly frame: Window;
  readonly served: ServedModule;
  readonly known: FrameState | null;
  readonly emit: Emit;
  readonly onStorage: (changes: StorageChange[]) => void;
}

export interface FramedBackend extends Backend {
  readonly state: State & FrameState;
  /** Stops saying hello, and rejects the waiting calls. */
  stop(): void;
}

/** Opens the backend of the page around the frame. The page sends a port after it has checked the frame. */
export function openFramed({ frame, served, known, emit, onStorage }: FramedOptions): FramedBackend {
  const state: State & FrameState = {
    env: served.env,
    version: served.version,
    player: { id: '', handle: null, guest: true },
    locale: browserLocale(frame.navigator),
    muted: false,
    ...(known && { env: known.env, player: known.player, locale: known.locale, muted: known.muted }),
  };
  const allowed = createRate(sdkLimits.messagesPerSecond, () => performance.now());
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const waiting = new Map<number, Waiting>();
  const unsent: Sent[] = [];
  /** Notices that wait for the rate limit: the last one of each name about a thing. */
  const notices = new Map<string, Sent>();
  let noticeTimer: ReturnType<typeof setTimeout> | undefined;
  const load = frame.crypto.randomUUID?.() ?? String(Math.random());
  let port: MessagePort | undefined;
  let count = 0;
  let askTimer: ReturnType<typeof setTimeout> | undefined;
  /** Read before the game begins, which may have a variable `parent` of its own. */
  const around = frame.parent;

  function ask(afterMs: number): void {
    const hello: Hello = {
      spaceport: protocol,
      hello: { versions: [protocol], version: state.version, load },
    };
    // Only a page of the service's origin can receive it.
    around.postMessage(hello, served.app);
    askTimer = setTimeout(ask, afterMs, afterMs * longerBy);
  }

  function onMessage(event: MessageEvent<Welcome | null>): void {
    const [given] = event.ports;
    const welcome = event.data?.spaceport === protocol ? event.data.welcome : undefined;
    if (event.source !== around || event.origin !== served.app || !welcome || !given) return;
    // Games take every message that they hear for one of theirs, and fail at what is none.
    event.stopImmediatePropagation();
    clearTimeout(askTimer);
    const before = state.player;
    const { env, version, player, muted, locale, invited } = welcome;
    Object.assign(state, {
      env,
      version: version ?? state.version,
      player,
      muted,
      locale,
      invited: invited ?? state.invited,
    });
    port?.close();
    port = given;
    given.onmessage = ({ data }) => hear(data);
    sendWaiting();
    if (player.id !== before.id || player.handle !== before.handle) emit('player', player);
    reach();
  }

  function hear(message: Answer | PageEvent): void {
    if ('ev' in message) {
      if (message.ev === 'storage') {
        onStorage(message.d);
        return;
      }
      if (message.ev === 'mute') state.muted = message.d;
      if (message.ev === 'player') state.player = message.d;
      if (message.ev === 'invited') state.invited = message.d;
      emit(message.ev, message.d as never);
      return;
    }
    const caller = waiting.get(message.id);
    if (!caller) return;
    waiting.delete(message.id);
    clearTimeout(caller.timer);
    if ('ok' in message) caller.resolve(message.ok as never);
    else caller.reject(fault(message.err.code, message.err.message, message.err));
  }

  function sendWaiting(): void {
    for (const message of unsent.splice(0, sentAtOnce)) post(message);
    if (unsent.length > 0) setTimeout(sendWaiting, sentEveryMs);
  }

  function post(message: Sent): void {
    try {
      port?.postMessage(message);
    } catch (error) {
      // The arguments have a value that cannot be cloned: a function, an element.
      if (message.id !== undefined)
        hear({ id: message.id, err: { code: 'invalid', message: String(error) } });
    }
  }

  function send(message: Sent): void {
    if (port && unsent.length === 0) post(message);
    else unsent.push(message);
  }

  const isOverRate = () => !allowed() || unsent.length >= sdkLimits.waitingCalls;

  /** @throws `too_large` and `rate_limited` */
  function admit(method: string, args: readonly unknown[]): void {
    const most = method === 'storage.write' ? storageLimits.messageBytes : sdkLimits.messageBytes;
    if (sizeOf(args, most) > most) throw fault('too_large', 'more than a call may have');
    if (isOverRate())
      throw fault('rate_limited', `more than ${sdkLimits.messagesPerSecond} calls a second`, {
        retryAfter: 1,
      });
  }

  function sendNotices(): void {
    clearTimeout(noticeTimer);
    for (const [key, notice] of notices) {
      if (isOverRate()) {
        noticeTimer = setTimeout(sendNotices, noticeAgainMs);
        return;
      }
      notices.delete(key);
      send(notice);
    }
  }

  frame.addEventListener('message', onMessage, true);
  ask(firstAskMs);
  return {
    state,
    reached,
    call: (method, args) =>
      new Promise((resolve, reject) => {
        sendNotices();
        admit(method, args);
        const id = ++count;
        const giveUp = () => {
          waiting.delete(id);
          reject(fault('timeout', `${method} took too long`));
        };
        // Signing in has no time limit, because a person does it.
        const timer = method === 'player.signIn' ? undefined : setTimeout(giveUp, sdkLimits.callMs);
        waiting.set(id, { resolve, reject, timer });
        send({ id, m: method, a: args });
      }),
    tell(notice, args, about = '') {
      const key = notice + about;
      // The last one is sent after others that came before it.
      notices.delete(key);
      notices.set(key, { m: notice, a: args });
      sendNotices();
    },
    stop() {
      clearTimeout(askTimer);
      frame.removeEventListener('message', onMessage, true);
      for (const id of waiting.keys()) hear({ id, err: { code: 'offline', message: 'no answer' } });
    },
  };
}
