/** A storage in memory, or one that throws like that of a frame whose browser keeps nothing. */
export function fakeStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    clear: () => entries.clear(),
    getItem: (key) => entries.get(key) ?? null,
    key: (index) => [...entries.keys()][index] ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => void entries.set(key, value),
  };
}

export interface FakeWindowOptions {
  readonly address?: string;
  /** Null where asking for it throws. */
  readonly storage?: Storage | null;
  /** Origin of the page around it; it is a page of its own without. */
  readonly around?: string;
  readonly name?: string;
  readonly service?: object;
  readonly global?: unknown;
  /** What its page has loaded, in bytes as sent: the page first, then its files. */
  readonly loaded?: readonly number[];
}

export interface Posted {
  readonly data: unknown;
  readonly to: string;
}

/** What the module uses of a window. `posted` is what it sent to the page around it. */
export function fakeWindow(options: FakeWindowOptions = {}) {
  const { address = 'https://moon.play.example/', storage = fakeStorage(), around, name = '' } = options;
  const { loaded = [] } = options;
  const clock = { now: 0 };
  const target = new EventTarget();
  const posted: Posted[] = [];
  const parent = { postMessage: (data: unknown, to: string) => void posted.push({ data, to }) };
  const url = new URL(address);
  const frame = {
    name,
    location: {
      hostname: url.hostname,
      protocol: url.protocol,
      origin: url.origin,
      search: url.search,
      ancestorOrigins: around === undefined ? [] : [around],
    },
    navigator: {
      language: 'de-CH',
      userAgent:
        'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    },
    document: Object.assign(new EventTarget(), { readyState: 'loading', visibilityState: 'visible' }),
    performance: {
      now: () => clock.now,
      getEntriesByType: (type: string) =>
        (type === 'navigation' ? loaded.slice(0, 1) : loaded.slice(1)).map((encodedBodySize) => ({
          encodedBodySize,
        })),
    },
    crypto,
    get localStorage() {
      if (storage === null) throw new DOMException('denied', 'SecurityError');
      return storage;
    },
    get sessionStorage() {
      if (storage === null) throw new DOMException('denied', 'SecurityError');
      return storage;
    },
    fetch: async () =>
      options.service ? Response.json(options.service) : new Response('nothing here', { status: 404 }),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    parent: undefined as unknown,
    Spaceport: options.global,
  };
  frame.parent = around === undefined ? frame : parent;
  /** As another window posts a message. */
  function post(data: unknown, origin: string, ports: readonly MessagePort[] = [], source: unknown = parent) {
    target.dispatchEvent(Object.assign(new Event('message'), { data, origin, ports, source }));
  }
  return {
    // The module takes a window for what it uses of it.
    frame: frame as unknown as Window & typeof globalThis,
    posted,
    post,
    /** Milliseconds since the page began to load. */
    clock,
    /** The page has loaded whole. */
    load() {
      frame.document.readyState = 'complete';
      target.dispatchEvent(new Event('load'));
    },
    dispatch: (type: string, more: object = {}) => target.dispatchEvent(Object.assign(new Event(type), more)),
  };
}
