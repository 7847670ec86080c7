const keys = new Set(['Space', 'ArrowUp', 'Enter', 'KeyW']);

/**
 * One button on any device: a finger, a mouse, a key or a gamepad. `held` is its state. `onPress` is called
 * when the button goes down.
 */
export class OneButton {
  #holders = new Set();
  #padHeld = false;

  constructor(surface, onPress) {
    const press = (holder) => {
      const fresh = !this.held;
      this.#holders.add(holder);
      if (fresh) onPress();
    };
    surface.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return;
      event.preventDefault();
      surface.focus({ preventScroll: true });
      press(event.pointerId);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      addEventListener(end, (event) => this.#holders.delete(event.pointerId));
    }
    addEventListener('keydown', (event) => {
      if (!keys.has(event.code) || event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      if (!event.repeat) press(event.code);
    });
    addEventListener('keyup', (event) => this.#holders.delete(event.code));
    // The release of a key in another window is not reported, so all keys are released here.
    addEventListener('blur', () => this.#holders.clear());
    surface.addEventListener('contextmenu', (event) => event.preventDefault());
    this.onPress = onPress;
  }

  get held() {
    return this.#holders.size > 0 || this.#padHeld;
  }

  /**
   * Reads the gamepads once a frame, because they have no events. A frame without permission for gamepads
   * throws.
   */
  pollGamepads() {
    let down = false;
    try {
      for (const pad of navigator.getGamepads?.() ?? []) {
        down ||= pad?.buttons.slice(0, 8).some((button) => button.pressed) ?? false;
      }
    } catch {}
    const fresh = down && !this.held;
    this.#padHeld = down;
    if (fresh) this.onPress();
  }
}
