const keys = { ArrowLeft: -1, KeyA: -1, ArrowRight: 1, KeyD: 1 };
const starts = new Set(['Space', 'Enter', 'ArrowUp', 'KeyW']);

/** Steers with keys, a dragging thumb or a stick. `read()` returns the helm, from -1 to 1. */
export class Helm {
  #held = new Map();
  #drag = null;
  #padPressed = false;
  #onPress;

  constructor(surface, onPress) {
    this.#onPress = onPress;
    surface.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return;
      event.preventDefault();
      surface.focus({ preventScroll: true });
      this.#drag = { id: event.pointerId, from: event.clientX, x: event.clientX };
      onPress();
    });
    addEventListener('pointermove', (event) => {
      if (this.#drag?.id === event.pointerId) this.#drag.x = event.clientX;
    });
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, (event) => {
        if (this.#drag?.id === event.pointerId) this.#drag = null;
      });
    addEventListener('keydown', (event) => {
      // The browser's own shortcuts: Alt+← leads to the page before.
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const isOnButton = event.target instanceof HTMLButtonElement;
      if (event.code in keys) {
        event.preventDefault();
        this.#held.set(event.code, keys[event.code]);
      }
      if (!event.repeat && !isOnButton && (starts.has(event.code) || event.code in keys)) {
        event.preventDefault();
        onPress();
      }
    });
    addEventListener('keyup', (event) => this.#held.delete(event.code));
    addEventListener('blur', () => this.#held.clear());
    surface.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  read() {
    let helm = 0;
    for (const side of this.#held.values()) helm += side;
    // Sixty pixels from where the thumb came down are hard over.
    if (this.#drag !== null) helm += (this.#drag.x - this.#drag.from) / 60;
    helm += this.#readPads();
    return Math.max(-1, Math.min(1, helm));
  }

  #readPads() {
    let helm = 0;
    let pressed = false;
    try {
      for (const pad of navigator.getGamepads?.() ?? []) {
        if (pad === null) continue;
        if (Math.abs(pad.axes[0] ?? 0) > 0.15) helm += pad.axes[0];
        if (pad.buttons[14]?.pressed) helm -= 1;
        if (pad.buttons[15]?.pressed) helm += 1;
        pressed ||= pad.buttons.slice(0, 4).some((button) => button.pressed);
      }
    } catch {
      // A frame without permission for gamepads throws.
    }
    if (pressed && !this.#padPressed) this.#onPress();
    this.#padPressed = pressed;
    return helm;
  }
}
