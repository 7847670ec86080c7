/**
 * For pages that call everything that a portal's SDK documents. `watch` records which names of the SDK were
 * used. `say` records the answer of a call. `results` is set when the page has done everything.
 */
const touched = new Set();
const said = {};

function watch(sdk, path = '') {
  return new Proxy(sdk, {
    get(target, name) {
      const value = Reflect.get(target, name);
      const at = path + String(name);
      touched.add(at);
      if (typeof value === 'function') return value.bind(target);
      return value !== null && typeof value === 'object' ? watch(value, `${at}.`) : value;
    },
  });
}

/** Describes an error by its code or type. */
const errorOf = (error) => ({ failed: error?.code ?? error?.errorType ?? String(error) });

async function say(name, call) {
  try {
    const answer = await call();
    said[name] = typeof answer === 'function' ? 'a function' : (answer ?? null);
  } catch (error) {
    said[name] = errorOf(error);
  }
}

function done() {
  window.results = JSON.parse(JSON.stringify({ said, touched: [...touched] }));
  document.title = 'Done';
}

Object.assign(window, { watch, say, done });
