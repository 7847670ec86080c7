/**
 * For pages that call everything that a portal's SDK documents. `watch` notes which of its names were used, `say` what a call
 * answered; `results` is there when the page has done all of it.
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

/** An error is what it says it is: its code or type. */
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
