/** Whether the one button is down: a finger or a mouse on the sky, or one of three keys. */
export function holdOn(canvas) {
  const held = { isDown: false };
  const set = (isDown) => (event) => {
    held.isDown = isDown;
    event.preventDefault?.();
  };
  canvas.addEventListener('pointerdown', set(true));
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, set(false));
  addEventListener('blur', set(false));
  const keys = ['Space', 'ArrowDown', 'Enter'];
  for (const [name, isDown] of [
    ['keydown', true],
    ['keyup', false],
  ])
    addEventListener(name, (event) => {
      if (keys.includes(event.code) && document.body.dataset.screen === 'race') set(isDown)(event);
    });
  return held;
}

/** One stroke of a finger or a mouse on the sky, in pixels: `onMove` while it is drawn, `onDone` with all of it. */
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
