import { type ServedModule, sdkLimits } from '@spaceport/contract/sdk-protocol';
import { openAlone } from './alone.ts';
import type { Backend, Emit } from './backend.ts';
import { watchBeginning } from './beginning.ts';
import { createEvents } from './events.ts';
import { shareStorage } from './frame-areas.ts';
import { putFrameName, takeFrameName } from './frame-name.ts';
import { openFramed } from './framed.ts';
import { keepFocus } from './keep-focus.ts';
import { type KeptStorage, keepStorage } from './keep-storage.ts';
import { leaveByKeys } from './leave-by-keys.ts';
import { createReports, type Reports } from './reports.ts';
import { fromSecond, type LoadSecond, once } from './second-script.ts';
import { createSpaceport } from './spaceport.ts';
import { stayInside } from './stay-inside.ts';
import type { Spaceport } from './types.ts';

/**
 * Outside a content host, the page around the frame may not be the service, so the module stops asking after
 * this.
 */
const mostAskMs = 5 * sdkLimits.readyMs;

/**
 * The name under which the module of a page keeps a function for a nested page, which tells it of that page's
 * errors, and of play in it.
 */
const nestedKey = Symbol.for('spaceport.nested');

/**
 * Starts the module in a page: inside the service's page, alone, or on a creator's own machine. `served` is
 * null if no service served the module.
 */
export function start(
  served: ServedModule | null,
  frame: Window & typeof globalThis,
  loadScript: LoadSecond,
): Spaceport {
  const known = ofSameOrigin(frame);
  if (known) {
    if (frame.parent !== frame && served?.storage) shareStorage(frame, frame.parent);
    if (Reflect.get(frame, 'Spaceport') === undefined) Reflect.get(known, nestedKey)?.(frame);
    return known;
  }
  const events = createEvents();
  // Each load makes the script anew, and a page alone uses it for its stand-in too.
  const loadSecond = once(loadScript);
  const backend =
    served && mayBeFramed(served, frame)
      ? framed(served, frame, events.emit, loadSecond)
      : openAlone(served, frame, events.emit, loadSecond);
  const reports = createReports((batch) => backend.tell('error', [batch]));
  const beginning = watchBeginning(frame, backend);
  reportErrors(frame, reports);
  keepFocus(frame);
  const api = createSpaceport(backend, events, {
    reports,
    beginning,
    second: fromSecond(loadSecond, ({ together }) => together(backend)),
  });
  const isFramed = frame.parent !== frame;
  if (isFramed) leaveByKeys(frame);
  const watchNested = (nested: Window) => {
    if (isFramed) leaveByKeys(nested);
    beginning.watch(nested);
    reportErrors(nested, reports);
  };
  return Object.defineProperty(api, nestedKey, { value: watchNested });
}

function reportErrors(of: Window, reports: Reports): void {
  of.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    // An element that fails to load fires an event without error and message.
    if (error || message)
      reports.add('uncaught', error ?? message, filename && `${filename}:${lineno}:${colno}`);
  });
  of.addEventListener('unhandledrejection', ({ reason }) => reports.add('rejection', reason));
}

/** Returns the module of this page, or of the same space's page around it, which then serves both pages. */
function ofSameOrigin(frame: Window): Spaceport | undefined {
  try {
    const found: unknown = Reflect.get(frame, 'Spaceport') ?? Reflect.get(frame.parent, 'Spaceport');
    return (found as Spaceport | undefined)?.protocol === 1 ? (found as Spaceport) : undefined;
  } catch {
    return undefined;
  }
}

function mayBeFramed({ app }: ServedModule, frame: Window): boolean {
  if (frame.parent === frame) return false;
  const around = frame.location.ancestorOrigins?.[0];
  return around === undefined || around === app;
}

function framed(
  served: ServedModule,
  frame: Window & typeof globalThis,
  emit: Emit,
  loadSecond: LoadSecond,
): Backend {
  const known = takeFrameName(frame);
  const page = openFramed({
    frame,
    served,
    known,
    emit,
    onStorage: (changes) => kept?.hear(changes),
  });
  const kept: KeptStorage | null = served.storage
    ? keepStorage(frame, known ?? {}, (changes) => page.call('storage.write', [changes]))
    : null;
  // Chromium reads the name for the next page before this page is hidden.
  for (const event of ['beforeunload', 'pagehide'])
    frame.addEventListener(event, () => putFrameName(frame, page.state, kept?.state()));
  frame.addEventListener('pageshow', () => takeFrameName(frame));
  void page.reached.then(() => stayInside(frame));
  if (served.hosted) return page;
  let current: Backend = page;
  const giveUp = setTimeout(() => {
    page.stop();
    current = openAlone(served, frame, emit, loadSecond);
    emit('player', current.state.player);
  }, mostAskMs);
  void page.reached.then(() => clearTimeout(giveUp));
  return {
    get state() {
      return current.state;
    },
    reached: page.reached,
    call: (method, args) => current.call(method, args),
    tell: (...given) => current.tell(...given),
  };
}
