/** A call of the page to a portal's server that is answered here. */
export interface Called {
  readonly url: URL;
  /** The fields of a form or a query in the body; empty for other bodies. */
  readonly fields: URLSearchParams;
  /** The body as text, if it is not a form. */
  readonly text: string;
}

/** The text of an answer, and its content type. */
export interface Answered {
  readonly type: 'application/json' | 'text/plain' | 'application/xml';
  readonly text: string;
}

export interface Answering {
  isAsked(address: string): boolean;
  answer(called: Called): Promise<Answered>;
  /** The answer to synchronous requests, during which the page cannot ask the service. */
  readonly busy: Answered;
}

type Frame = Pick<typeof globalThis, 'fetch' | 'Request' | 'Response' | 'XMLHttpRequest'> &
  Pick<Window, 'location'>;

/** Answers calls to such servers, by `fetch` and by XMLHttpRequest, without a request leaving the page. */
export function answerCalls(frame: Frame, all: readonly Answering[]): void {
  const find = (address: unknown) => all.find((one) => one.isAsked(String(address)));
  const { fetch } = frame;
  frame.fetch = async (input, init) => {
    const address = input instanceof frame.Request ? input.url : String(input);
    const found = find(address);
    if (!found) return fetch.call(frame, input, init);
    const { type, text } = await found.answer(await calledBy(new frame.Request(input, init)));
    return new frame.Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } });
  };

  const { prototype } = frame.XMLHttpRequest;
  const { open, send, setRequestHeader } = prototype;
  const calls = new WeakMap<
    XMLHttpRequest,
    { address: string; found: Answering; isAsync: boolean; type: string }
  >();
  prototype.open = function (
    this: XMLHttpRequest,
    method: string,
    address: string | URL,
    given?: boolean,
    ...who: string[]
  ) {
    const isAsync = given ?? true;
    const found = find(address);
    calls.delete(this);
    if (!found) return open.call(this, method, address, isAsync, ...who);
    calls.set(this, { address: new URL(address, frame.location.href).href, found, isAsync, type: '' });
    return open.call(this, method, addressOf({ type: 'text/plain', text: '' }), isAsync);
  };
  prototype.setRequestHeader = function (this: XMLHttpRequest, name: string, value: string) {
    const call = calls.get(this);
    if (call && /^content-type$/iu.test(name)) call.type = value;
    setRequestHeader.call(this, name, value);
  };
  prototype.send = function (this: XMLHttpRequest, body: XMLHttpRequestBodyInit | null = null) {
    const call = calls.get(this);
    if (!call) return send.call(this, body);
    const { address, found, isAsync, type } = call;
    const request = new frame.Request(address, {
      method: 'POST',
      body,
      ...(type !== '' && { headers: { 'content-type': type } }),
    });
    const answering = calledBy(request).then((called) => found.answer(called));
    // The request loads a `data:` address with the answer in it, so that the browser itself fires the game's
    // events.
    const load = (answered: Answered) => {
      open.call(this, 'GET', addressOf(answered), isAsync);
      send.call(this);
    };
    if (isAsync) void answering.then((answered) => calls.get(this) === call && load(answered));
    else load(found.busy);
  };
}

/** Returns an address whose content is the answer. */
export function addressOf({ type, text }: Answered): string {
  return `data:${type};charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

async function calledBy(request: Request): Promise<Called> {
  const url = new URL(request.url);
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = [...(await request.formData())].map(([name, value]) => [name, String(value)]);
    return { url, fields: new URLSearchParams(form), text: '' };
  }
  const text = request.method === 'GET' ? '' : await request.text();
  const isForm = type.startsWith('application/x-www-form-urlencoded') || /^[\w[\]%]+=/u.test(text);
  return { url, fields: new URLSearchParams(isForm ? text : ''), text: isForm ? '' : text };
}
