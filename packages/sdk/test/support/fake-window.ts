/** A storage in memory. */
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
  /** The frame's storage. Null makes access to it throw. */
  readonly storage?: Storage | null;
  /** The origin of the page around the frame. Without it the window is a page of its own. */
  readonly around?: string;
  readonly name?: string;
  /** What the browser tells as its language. */
  readonly language?: string;
  readonly service?: object;
  readonly global?: unknown;
  /** Sizes of the loaded files in bytes as they were sent: the page first, then its files. */
  readonly loaded?: readonly number[];
}

export interface Posted {
  readonly data: unknown;
  readonly to: string;
}

/** Makes the parts of a window that the module uses. `posted` collects the messages to the page around it. */
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
      language: options.language ?? 'de-CH',
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
    dispatchEvent: target.dispatchEvent.bind(target),
    StorageEvent: Event,
    parent: undefined as unknown,
    Spaceport: options.global,
  };
  frame.parent = around === undefined ? frame : parent;
  /** Posts a message as another window does. */
  function post(data: unknown, origin: string, ports: readonly MessagePort[] = [], source: unknown = parent) {
    target.dispatchEvent(Object.assign(new Event('message'), { data, origin, ports, source }));
  }
  return {
    // The cast is safe because the module uses only these parts of a window.
    frame: frame as unknown as Window & typeof globalThis,
    posted,
    post,
    /** Milliseconds since the page began to load. */
    clock,
    /** Tells the window that its page has loaded completely. */
    load() {
      frame.document.readyState = 'complete';
      target.dispatchEvent(new Event('load'));
    },
    dispatch: (type: string, more: object = {}) => target.dispatchEvent(Object.assign(new Event(type), more)),
  };
}
