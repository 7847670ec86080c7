/**
 * Returns an object whose `isDown` says whether the button is held: fingers or a mouse on the sky, or one of
 * three keys.
 */
export function holdOn(canvas) {
  const fingers = new Set();
  const keys = new Set();
  const held = {
    get isDown() {
      return fingers.size + keys.size > 0;
    },
  };
  canvas.addEventListener('pointerdown', (event) => {
    fingers.add(event.pointerId);
    event.preventDefault();
  });
  for (const name of ['pointerup', 'pointercancel'])
    addEventListener(name, ({ pointerId }) => fingers.delete(pointerId));
  // A long touch holds the button, so it must not open a menu.
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  addEventListener('blur', () => {
    fingers.clear();
    keys.clear();
  });
  addEventListener('keydown', (event) => {
    if (!['Space', 'ArrowDown', 'Enter'].includes(event.code) || document.body.dataset.screen !== 'race')
      return;
    keys.add(event.code);
    event.preventDefault();
  });
  addEventListener('keyup', ({ code }) => keys.delete(code));
  return held;
}

/**
 * Reports each stroke of a finger or a mouse on the sky, in pixels: `onMove` while it is drawn, `onDone` at
 * its end.
 */
export function strokesOn(canvas, { isOn, onMove, onDone }) {
  let stroke = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (!isOn()) return;
    canvas.setPointerCapture(event.pointerId);
    stroke = [[event.clientX, event.clientY]];
  });
  canvas.addEventListener('pointermove', (event) => {
    if (stroke === null) return;
    for (const { clientX, clientY } of event.getCoalescedEvents?.() ?? [event]) {
      const [x, y] = stroke.at(-1);
      if (Math.hypot(clientX - x, clientY - y) > 3) stroke.push([clientX, clientY]);
    }
    onMove(stroke);
  });
  for (const name of ['pointerup', 'pointercancel'])
    canvas.addEventListener(name, () => {
      if (stroke !== null) onDone(stroke);
      stroke = null;
    });
}
