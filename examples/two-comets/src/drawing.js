import { strokesOn } from './input.js';
import { byId, say } from './page.js';
import { layRing, ringOfStroke } from './ring.js';
import { publishRing, tell, wordsFor } from './service.js';

/** Lets a player draw a ring and publish it. */
export function openDrawing(canvas, { isOn, onPublished }) {
  const drawing = {
    /** The points of the stroke while it is drawn, else null. */
    stroke: null,
    /** The ring of the last stroke, null if the stroke was not one. */
    ring: null,
    begin() {
      drawing.ring = null;
      byId('publish').hidden = true;
      say('draw-said', 'One stroke around: begin anywhere, and come back to where you began.');
    },
  };

  strokesOn(canvas, {
    isOn,
    onMove(points) {
      drawing.ring = null;
      drawing.stroke = points;
    },
    onDone(stroke) {
      const points = ringOfStroke(stroke);
      drawing.stroke = null;
      drawing.ring = points === null ? null : { points, track: layRing(points) };
      byId('publish').hidden = points === null;
      say(
        'draw-said',
        points === null ? 'That is no ring yet: draw once around, and large.' : 'Give it a name.',
      );
    },
  });

  byId('publish').addEventListener('submit', async (event) => {
    event.preventDefault();
    const title = byId('name').value.trim() || 'A ring';
    const made = await tell(() => publishRing(title, drawing.ring.points));
    if (made === null || made.failed) {
      say('draw-said', wordsFor(made?.failed ?? 'unsupported'));
      return;
    }
    say('draw-said', `“${made.title}” is published.`);
    byId('publish').hidden = true;
    onPublished(made);
  });
  return drawing;
}
