import { halfWidth, layRing } from './ring.js';

const colours = ['#ffd28a', '#86d8ff'];
const stars = Array.from({ length: 140 }, (_, index) => ({
  x: (Math.sin(index * 127.1) * 43_758.5) % 1,
  y: (Math.sin(index * 311.7) * 12_543.1) % 1,
  size: 0.4 + ((index * 7) % 10) / 8,
}));

/** Fits the canvas to the screen, and the ring's box to the canvas. */
export function openView(canvas) {
  const context = canvas.getContext('2d', { alpha: false });
  const view = { context, width: 0, height: 0, scale: 1, left: 0, top: 0 };
  const fit = () => {
    const ratio = Math.min(2, devicePixelRatio || 1);
    view.width = innerWidth;
    view.height = innerHeight;
    canvas.width = Math.round(view.width * ratio);
    canvas.height = Math.round(view.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    view.scale = Math.min(view.width, view.height) / 1000;
    view.left = (view.width - 1000 * view.scale) / 2;
    view.top = (view.height - 1000 * view.scale) / 2;
  };
  fit();
  addEventListener('resize', fit);
  return view;
}

const screenOf = (view, { x, y }) => [view.left + x * view.scale, view.top + y * view.scale];

export function paintSky({ context, width, height }, seconds) {
  const night = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, width);
  night.addColorStop(0, '#171c4d');
  night.addColorStop(1, '#070920');
  context.fillStyle = night;
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#dfe6ff';
  for (const [index, { x, y, size }] of stars.entries()) {
    context.globalAlpha = 0.35 + 0.3 * Math.sin(seconds * 0.8 + index);
    context.beginPath();
    context.arc(Math.abs(x) * width, Math.abs(y) * height, size, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

function trace(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}

export function paintRing(view, ring, comet, seconds) {
  const { context, scale } = view;
  const line = ring.line.map(([x, y]) => screenOf(view, { x, y }));
  trace(context, line);
  context.closePath();
  context.lineJoin = 'round';
  for (const [width, colour] of [
    [2.3, '#4a59c01f'],
    [2, '#7084ff2e'],
  ]) {
    context.lineWidth = width * halfWidth * scale;
    context.strokeStyle = colour;
    context.stroke();
  }
  context.setLineDash([3 * scale, 26 * scale]);
  context.lineWidth = 3 * scale;
  context.strokeStyle = '#c9d2ff66';
  context.stroke();
  context.setLineDash([]);
  const start = [-1, 1].map((d) => screenOf(view, ring.place(0, d)));
  trace(context, start);
  context.lineWidth = 5 * scale;
  context.strokeStyle = '#ffffffaa';
  context.stroke();
  const lap = comet === null ? 0 : Math.floor(comet.s / ring.length);
  for (const [index, { s, d }] of ring.dust.entries()) {
    if (comet !== null && lap * ring.dust.length + index <= comet.taken) continue;
    const [x, y] = screenOf(view, ring.place(s, d));
    context.fillStyle = '#fff3c4';
    context.globalAlpha = 0.65 + 0.35 * Math.sin(seconds * 5 + index);
    context.beginPath();
    context.arc(x, y, 7 * scale, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** `number` is 0 for the player's own comet, and 1 for the other. */
export function paintComet(view, ring, comet, number) {
  const { context, scale } = view;
  context.lineCap = 'round';
  const tail = 26;
  for (let piece = tail; piece > 0; piece--) {
    const [from, to] = [piece, piece - 1].map((back) =>
      screenOf(
        view,
        ring.place(comet.s - back * (4 + 5 * comet.boost), comet.d - comet.drift * back * 0.012),
      ),
    );
    trace(context, [from, to]);
    context.globalAlpha = (1 - piece / tail) ** 2 * 0.8;
    context.lineWidth = (24 - piece * 0.7) * scale;
    context.strokeStyle = colours[number];
    context.stroke();
  }
  const [x, y] = screenOf(view, ring.place(comet.s, comet.d));
  context.globalAlpha = 1;
  context.shadowColor = colours[number];
  context.shadowBlur = 30 * scale;
  context.fillStyle = '#ffffff';
  context.beginPath();
  context.arc(x, y, (comet.isInTail ? 15 : 12) * scale, 0, 7);
  context.fill();
  context.shadowBlur = 0;
}

/** Paints a stroke that is being drawn, in pixels of the screen. */
export function paintStroke({ context }, stroke) {
  trace(context, stroke);
  context.lineWidth = 8;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = colours[0];
  context.stroke();
}

/** Paints a ring as a small picture. */
export function paintThumbnail(canvas, points) {
  const context = canvas.getContext('2d');
  const scale = canvas.width / 1000;
  context.clearRect(0, 0, canvas.width, canvas.height);
  trace(
    context,
    layRing(points).line.map(([x, y]) => [x * scale, y * scale]),
  );
  context.closePath();
  context.lineJoin = 'round';
  context.lineWidth = 2 * halfWidth * scale;
  context.strokeStyle = '#5a68d0';
  context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = colours[0];
  context.stroke();
}
