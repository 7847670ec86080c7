/**
 * Buttons of a gamepad. They are read once a frame, because gamepads have no events, and reported once a
 * press.
 */
const buttons = {
  0: 'touch',
  1: 'undo',
  3: 'again',
  9: 'next',
  12: 'up',
  13: 'down',
  14: 'left',
  15: 'right',
};

export function watchGamepads(onPress) {
  const held = new Set();
  const look = () => {
    const now = new Set();
    try {
      for (const pad of navigator.getGamepads?.() ?? [])
        for (const [number, name] of Object.entries(buttons))
          if (pad?.buttons[number]?.pressed) now.add(name);
    } catch {
      // A frame without permission for gamepads throws.
      return;
    }
    for (const name of now) if (!held.has(name)) onPress(name);
    held.clear();
    for (const name of now) held.add(name);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
