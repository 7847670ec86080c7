import { reach } from './flight.js';
import { clamp } from './maths.js';
import { glow } from './sprites.js';

/** Colours of the lanterns, used in turn: bright paper, deep paper, and their light. */
const papers = [
  { bright: '#ffd98a', deep: '#f08a3c', light: '255, 186, 96' },
  { bright: '#ffb3a0', deep: '#e0546a', light: '255, 126, 110' },
  { bright: '#c9f2c0', deep: '#3fa58c', light: '130, 240, 190' },
  { bright: '#f3c4ff', deep: '#9a5ad8', light: '214, 140, 255' },
];

/** All functions of this file paint in world units: the caller has set the camera. */
export function paintLanterns(context, flight, seconds, top, bottom, aim) {
  flight.lanterns.forEach((lantern, index) => {
    if (lantern.moon || lantern.y < top || lantern.y > bottom) return;
    const sway = Math.sin(seconds * 1.3 + index * 2.4) * 0.07;
    const paper = papers[index % papers.length];
    if (index === aim) paintReach(context, lantern, seconds);
    if (lantern.lit) {
      const beat = 250 + Math.sin(seconds * 3 + index) * 14;
      context.globalCompositeOperation = 'lighter';
      context.drawImage(glow(paper.light), lantern.x - beat, lantern.y - beat, beat * 2, beat * 2);
      context.globalCompositeOperation = 'source-over';
    }
    context.save();
    context.translate(lantern.x, lantern.y);
    context.rotate(sway);
    paintLantern(context, paper, lantern.lit);
    context.restore();
  });
}

function paintReach(context, { x, y }, seconds) {
  context.strokeStyle = 'rgba(255, 230, 180, 0.3)';
  context.lineWidth = 2;
  context.setLineDash([4, 12]);
  context.lineDashOffset = -seconds * 24;
  context.beginPath();
  context.arc(x, y, 46, 0, 7);
  context.stroke();
  context.setLineDash([]);
}

function paintLantern(context, paper, lit) {
  const body = context.createRadialGradient(0, 6, 2, 0, 0, 34);
  body.addColorStop(0, lit ? '#fffbe8' : '#3b3566');
  body.addColorStop(0.45, lit ? paper.bright : '#2c2753');
  body.addColorStop(1, lit ? paper.deep : '#1d1940');
  context.strokeStyle = 'rgba(255, 240, 210, 0.25)';
  context.lineWidth = 1.4;
  context.beginPath();
  context.moveTo(0, -30);
  context.lineTo(0, -64);
  context.stroke();
  context.fillStyle = body;
  context.beginPath();
  context.ellipse(0, 0, 27, 25, 0, 0, 7);
  context.fill();
  context.strokeStyle = lit ? 'rgba(150, 60, 20, 0.28)' : 'rgba(170, 160, 230, 0.4)';
  for (const bend of [8, 18, 27]) {
    context.beginPath();
    context.ellipse(0, 0, bend, 25, 0, 0, 7);
    context.stroke();
  }
  context.fillStyle = lit ? '#6b3518' : '#4a4480';
  context.fillRect(-11, -30, 22, 7);
  context.fillRect(-9, 23, 18, 6);
  context.strokeStyle = lit ? paper.deep : '#4a4480';
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(0, 29);
  context.lineTo(0, 44);
  context.stroke();
}

export function paintDew(context, flight, seconds, top, bottom) {
  context.globalCompositeOperation = 'lighter';
  const sprite = glow('150, 226, 255');
  flight.dew.forEach((drop, index) => {
    if (drop.taken || drop.y < top || drop.y > bottom) return;
    const size = 20 + Math.sin(seconds * 4 + index) * 4;
    context.drawImage(sprite, drop.x - size, drop.y - size, size * 2, size * 2);
    context.fillStyle = '#eafaff';
    context.beginPath();
    context.arc(drop.x, drop.y, 3.4, 0, 7);
    context.fill();
  });
  context.globalCompositeOperation = 'source-over';
}

export function paintBurrs(context, flight, seconds) {
  for (const { x, y, turn, size } of flight.burrs) {
    context.save();
    context.translate(x, y);
    context.rotate(turn + seconds * 0.5);
    context.globalCompositeOperation = 'lighter';
    context.drawImage(glow('255, 60, 110'), -size * 2, -size * 2, size * 4, size * 4);
    context.globalCompositeOperation = 'source-over';
    context.fillStyle = '#2a0f2e';
    context.strokeStyle = '#ff5c8a';
    context.lineWidth = 2.5;
    context.beginPath();
    for (let point = 0; point < 22; point++) {
      const radius = point % 2 === 0 ? size : size * 0.55;
      context.lineTo(Math.cos((point / 22) * 6.2832) * radius, Math.sin((point / 22) * 6.2832) * radius);
    }
    context.closePath();
    context.fill();
    context.stroke();
    context.restore();
  }
}

export function paintTether(context, { moth, latch, lanterns }) {
  if (latch < 0) return;
  const { x, y } = lanterns[latch];
  context.globalCompositeOperation = 'lighter';
  for (const [width, alpha] of [
    [7, 0.16],
    [2, 0.85],
  ]) {
    context.strokeStyle = `rgba(255, 232, 180, ${alpha})`;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(moth.x, moth.y);
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

/** @param trail earlier places of the moth, oldest first */
export function paintTrail(context, trail) {
  context.globalCompositeOperation = 'lighter';
  for (let index = 1; index < trail.length; index++) {
    const part = index / trail.length;
    context.strokeStyle = `rgba(${Math.round(120 + 135 * part)}, ${Math.round(150 + 80 * part)}, 255, ${part * 0.45})`;
    context.lineWidth = 1 + part * 12;
    context.beginPath();
    context.moveTo(trail[index - 1].x, trail[index - 1].y);
    context.lineTo(trail[index].x, trail[index].y);
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

export function paintMoth(context, { moth, dazedSeconds, latch }, seconds) {
  context.globalCompositeOperation = 'lighter';
  context.drawImage(glow('255, 244, 214'), moth.x - 90, moth.y - 90, 180, 180);
  context.globalCompositeOperation = 'source-over';
  context.save();
  context.translate(moth.x, moth.y);
  context.rotate(Math.atan2(moth.vy, moth.vx) + Math.PI / 2);
  context.scale(1.5, 1.5);
  // The wings are folded while the moth swings, and wide while it flies.
  const beat = Math.sin(seconds * (latch >= 0 ? 16 : 30)) * 0.34;
  const open = latch >= 0 ? 0.62 : 0.86;
  context.globalAlpha = dazedSeconds > 0 ? 0.6 : 1;
  for (const side of [-1, 1]) {
    context.save();
    context.scale(side * clamp(open + beat, 0.3, 1.2), 1);
    paintWing(context);
    context.restore();
  }
  context.fillStyle = '#7a3f1d';
  context.beginPath();
  context.ellipse(0, 1, 2.6, 10, 0, 0, 7);
  context.fill();
  context.strokeStyle = '#ffe9c2';
  context.lineWidth = 1.2;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(0, -9);
    context.quadraticCurveTo(side * 3, -15, side * 8, -16);
    context.stroke();
  }
  context.restore();
  context.globalAlpha = 1;
}

function paintWing(context) {
  const upper = context.createRadialGradient(2, 0, 2, 10, -8, 24);
  upper.addColorStop(0, '#fffbee');
  upper.addColorStop(0.6, '#ffe0a6');
  upper.addColorStop(1, '#f0a868');
  context.fillStyle = upper;
  context.beginPath();
  context.moveTo(1, -3);
  context.bezierCurveTo(8, -24, 27, -22, 25, -9);
  context.bezierCurveTo(24, 0, 10, 3, 1, 1);
  context.fill();
  context.fillStyle = 'rgba(255, 228, 180, 0.85)';
  context.beginPath();
  context.moveTo(1, 1);
  context.bezierCurveTo(12, 1, 20, 8, 16, 14);
  context.bezierCurveTo(12, 20, 3, 14, 1, 4);
  context.fill();
  context.fillStyle = 'rgba(160, 80, 60, 0.6)';
  context.beginPath();
  context.arc(16, -11, 3, 0, 7);
  context.fill();
}

/**
 * Paints the tide, from its surface to the bottom of the screen. `left` and `right` are the edges in world
 * units.
 */
export function paintTide(context, tideY, seconds, left, right, bottom) {
  if (tideY > bottom + 40) return;
  const surface = (x, phase) =>
    tideY + Math.sin(x * 0.011 + seconds * 1.5 + phase) * 9 + Math.sin(x * 0.027 - seconds * 2.1 + phase) * 4;
  for (const [shift, alpha, phase] of [
    [-16, 0.4, 2],
    [0, 0.88, 0],
  ]) {
    const gradient = context.createLinearGradient(0, tideY, 0, tideY + 520);
    gradient.addColorStop(0, `rgba(22, 92, 130, ${alpha})`);
    gradient.addColorStop(0.25, `rgba(10, 36, 82, ${alpha})`);
    gradient.addColorStop(1, `rgba(3, 6, 28, ${alpha})`);
    context.fillStyle = gradient;
    context.beginPath();
    context.moveTo(left, bottom);
    for (let x = left; x <= right + 24; x += 24) context.lineTo(x, surface(x, phase) + shift);
    context.lineTo(right + 24, bottom);
    context.fill();
  }
  context.globalCompositeOperation = 'lighter';
  for (let line = 0; line < 5; line++) {
    context.strokeStyle = `rgba(150, 240, 255, ${0.5 / (1 + line * 1.5)})`;
    context.lineWidth = line === 0 ? 3 : 1.5;
    context.beginPath();
    for (let x = left; x <= right + 24; x += 24)
      context.lineTo(x, surface(x, line * 0.8) + line * (14 + line * 7));
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

/** Paints a thread of light from the moth to the lantern that a press would take now. */
export function paintAim(context, { moth }, lantern) {
  const distance = Math.sqrt((lantern.x - moth.x) ** 2 + (lantern.y - moth.y) ** 2);
  context.strokeStyle = `rgba(255, 236, 190, ${clamp(0.5 * (1 - distance / reach) + 0.12, 0, 0.5)})`;
  context.lineWidth = 1.5;
  context.setLineDash([2, 10]);
  context.beginPath();
  context.moveTo(moth.x, moth.y);
  context.lineTo(lantern.x, lantern.y);
  context.stroke();
  context.setLineDash([]);
}
