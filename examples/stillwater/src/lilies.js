import { open, reach } from './pond.js';

const svg = 'http://www.w3.org/2000/svg';
const states = ['closed', 'half open', 'open'];
const petals = 7;

/** Draws a pond as buttons, so that it can be used with fingers, keys and screen readers. */
export class Lilies {
  #element;
  #buttons = [];

  constructor(element, onTouch) {
    this.#element = element;
    element.addEventListener('pointerdown', (event) => {
      const button = event.target.closest('button');
      if (button === null || event.button > 0) return;
      event.preventDefault();
      button.focus({ preventScroll: true });
      onTouch(Number(button.dataset.at));
    });
    // A click without a pointer comes from a keyboard or a screen reader.
    element.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button !== null && event.detail === 0) onTouch(Number(button.dataset.at));
    });
  }

  lay(pond) {
    this.#element.style.setProperty('--size', pond.size);
    this.#buttons = pond.lilies.map((lily, at) => (lily === null ? stone() : lilyButton(at)));
    this.#element.replaceChildren(...this.#buttons);
    this.show(pond);
  }

  show(pond) {
    for (const [at, lily] of pond.lilies.entries()) {
      if (lily === null) continue;
      const button = this.#buttons[at];
      button.dataset.state = lily;
      const row = Math.floor(at / pond.size) + 1;
      button.setAttribute('aria-label', `Row ${row}, lily ${(at % pond.size) + 1}: ${states[lily]}`);
    }
    this.#element.dataset.bloom = pond.lilies.every((lily) => lily === null || lily === open);
  }

  /** Shows a ring on the water, and rocks the lilies that a touch moves. */
  ripple(pond, at) {
    const ring = document.createElement('i');
    ring.className = 'ring';
    this.#buttons[at].append(ring);
    ring.addEventListener('animationend', () => ring.remove());
    for (const one of reach(pond, at))
      this.#buttons[one].firstChild.animate(
        [{ rotate: '0deg' }, { rotate: one === at ? '9deg' : '-6deg' }, { rotate: '0deg' }],
        { duration: 420, easing: 'ease-out' },
      );
  }

  /** Moves the focus by rows and columns. It stays if there is no lily that way. */
  move(size, rows, columns) {
    const from = Number(document.activeElement?.dataset.at ?? -1);
    if (from < 0) return this.focusFirst();
    let [row, column] = [Math.floor(from / size) + rows, (from % size) + columns];
    while (row >= 0 && row < size && column >= 0 && column < size) {
      const button = this.#buttons[row * size + column];
      if (button.dataset.at !== undefined) return button.focus({ preventScroll: true });
      row += rows;
      column += columns;
    }
  }

  focusFirst() {
    this.#buttons.find((button) => button.dataset.at !== undefined)?.focus({ preventScroll: true });
  }
}

function stone() {
  const element = document.createElement('span');
  element.className = 'stone';
  return element;
}

function lilyButton(at) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'lily';
  button.dataset.at = at;
  const drawing = draw('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
  drawing.append(draw('path', { class: 'pad', d: 'M0 0 43 -12A45 45 0 1 1 32 -30Z' }));
  for (let petal = 0; petal < petals; petal++) {
    const turned = draw('g', { transform: `rotate(${(petal * 360) / petals})` });
    turned.append(draw('path', { class: 'petal', d: 'M0 -38C11 -26 10 -10 0 0-10 -10-11 -26 0 -38Z' }));
    drawing.append(turned);
  }
  drawing.append(draw('circle', { class: 'heart', r: 8 }));
  button.append(drawing);
  return button;
}

function draw(name, attributes) {
  const element = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
