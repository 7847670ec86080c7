import { paintBackdrop, paintMoon } from './backdrop.js';
import { Effects } from './effects.js';
import { chooseLantern, startFlight, step, stepSeconds } from './flight.js';
import { OneButton } from './input.js';
import * as keeper from './keeper.js';
import { clamp, mix } from './maths.js';
import { layNight } from './night.js';
import * as painter from './painter.js';
import { pilotHolds } from './pilot.js';
import { Sound } from './sound.js';

const byId = (id) => document.getElementById(id);
const canvas = byId('sky');
const context = canvas.getContext('2d', { alpha: false });
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const effects = new Effects(calm);
const sound = new Sound();

/** `title` (the pilot flies behind it), `play`, or `over` (with the result). */
let screen = 'title';
let flight = startFlight(layNight(1));
/** The day whose night is flown, null for the usual nights. */
let day = null;
let runs = {};
/** True while the page hides or covers the game. */
let paused = false;
let clockSeconds = 0;
let screenSeconds = 0;
let leftoverSeconds = 0;
let endedSeconds = 0;
let trail = [];
const camera = { x: 0, y: -60 };

const button = new OneButton(canvas, () => {
  sound.wake();
  if (screen === 'title') begin(null);
  // A press that was meant for the flight must not close its result.
  else if (screen === 'over' && screenSeconds > 0.7) begin(day);
});

function show(name) {
  screen = name;
  screenSeconds = 0;
  document.body.dataset.screen = name;
}

/** @param sky a day, or null, as in `day` */
function begin(sky) {
  day = sky;
  runs = keeper.takeOff(day);
  fly(1);
  show('play');
  announce(day === null ? 'Night 1' : 'Tonight');
}

function fly(number, carried) {
  flight = startFlight(layNight(number, day), carried);
  camera.x = flight.moth.x;
  camera.y = flight.moth.y - 60;
  trail = [];
}

function announce(text) {
  const banner = byId('banner');
  banner.textContent = text;
  banner.classList.remove('show');
  // Reading a layout value makes the browser restart the animation.
  void banner.offsetWidth;
  banner.classList.add('show');
}

function advance(dt) {
  clockSeconds += dt;
  screenSeconds += dt;
  leftoverSeconds += dt;
  while (leftoverSeconds >= stepSeconds) {
    leftoverSeconds -= stepSeconds;
    step(flight, screen === 'title' ? pilotHolds(flight) : button.held);
    trail.push({ x: flight.moth.x, y: flight.moth.y });
    if (trail.length > 54) trail.shift();
  }
  for (const event of flight.events.splice(0)) {
    effects.show(event);
    if (screen !== 'title') sound.play(event);
    if (screen === 'play' && event.type === 'moon' && flight.number === 1)
      keeper.firstMoon(runs, flight.seconds);
  }
  effects.step(dt);
  follow(dt);
  if (flight.state === 'flying') endedSeconds = 0;
  else {
    endedSeconds += dt;
    turnPage(endedSeconds);
  }
}

/** Goes on after the moon or the tide was reached. */
function turnPage(seconds) {
  if (flight.state === 'moon' && seconds > 1.4) {
    const { score, chain, bestChain, lit, number } = flight;
    fly(number + 1, screen === 'title' ? undefined : { score, chain, bestChain, lit });
    effects.flash = calm ? 0 : 0.5;
    if (screen === 'play') announce(`Night ${number + 1}`);
  } else if (flight.state === 'drowned' && screen === 'title' && seconds > 1) fly(1);
  else if (flight.state === 'drowned' && screen === 'play' && seconds > 0.6) showResult();
}

function showResult() {
  const { number, score, lit, bestChain } = flight;
  const before = keeper.bestOf(day);
  byId('over-night').textContent = day === null ? `Night ${number}` : `Tonight, night ${number}`;
  byId('over-score').textContent = score.toLocaleString();
  const lines = [`${lit} lanterns · longest chain ${bestChain}`];
  lines.push(score > before ? 'Your best flight so far' : `Your best: ${before.toLocaleString()}`);
  byId('over-notes').textContent = lines.join('\n');
  show('over');
  const landed = flight;
  keeper.land(runs, day, flight).then((result) => {
    if (result === null || flight !== landed) return;
    byId('over-notes').textContent = [...lines, ...standing(result)].join('\n');
  });
}

/**
 * Returns lines about the rank of a flight, the rank that a guest's would have, or that it is posted later.
 */
function standing({ queued, guest, rank, entries, next }) {
  if (queued) return ['It counts once you are online again'];
  const place = rank.toLocaleString();
  const lines = [guest ? `It would be rank ${place}` : `Rank ${place} of ${entries.toLocaleString()}`];
  if (next) lines.push(`@${next.handle} is next, with ${next.score.toLocaleString()}`);
  return lines;
}

function follow(dt) {
  const { moth } = flight;
  const ahead = flight.latch >= 0 ? flight.lanterns[flight.latch] : moth;
  const pull = 1 - Math.exp(-dt * 4.2);
  camera.x = mix(camera.x, mix(ahead.x, moth.x, 0.5) * 0.75, pull);
  camera.y = mix(camera.y, Math.min(moth.y, flight.tideY - 120) - 90, pull);
}

function paint() {
  const { width, height } = canvas;
  const scale = Math.min(width / 760, height / 980);
  const shake = effects.shake * scale;
  const view = {
    width,
    height,
    scale,
    x: camera.x + Math.sin(clockSeconds * 71) * shake,
    y: camera.y + Math.sin(clockSeconds * 83) * shake,
  };
  const goal = flight.lanterns[flight.lanterns.length - 1];
  paintBackdrop(context, view, flight.number, clockSeconds);
  paintMoon(context, view, goal, goal.lit);
  context.setTransform(scale, 0, 0, scale, width / 2 - view.x * scale, height / 2 - view.y * scale);
  paintWorld(view);
  context.setTransform(1, 0, 0, 1, 0, 0);
  if (effects.flash > 0.01) {
    context.fillStyle = `rgba(255, 246, 224, ${effects.flash})`;
    context.fillRect(0, 0, width, height);
  }
}

function paintWorld({ width, height, scale, x, y }) {
  const [top, bottom] = [y - height / 2 / scale - 300, y + height / 2 / scale + 300];
  const aim = flight.latch < 0 && flight.state === 'flying' ? chooseLantern(flight) : -1;
  painter.paintLanterns(context, flight, clockSeconds, top, bottom, aim);
  painter.paintDew(context, flight, clockSeconds, top, bottom);
  painter.paintBurrs(context, flight, clockSeconds);
  if (aim >= 0) painter.paintAim(context, flight, flight.lanterns[aim]);
  painter.paintTrail(context, trail);
  painter.paintTether(context, flight);
  if (flight.state !== 'drowned') painter.paintMoth(context, flight, clockSeconds);
  const half = width / 2 / scale;
  painter.paintTide(context, flight.tideY, clockSeconds, x - half - 40, x + half + 40, bottom);
  effects.paint(context);
}

const shown = { score: 0 };
function writeHud() {
  if (screen === 'title') return;
  // The shown number runs up to the score. Near the end it jumps, so that it arrives.
  shown.score =
    screen === 'play' && flight.score > shown.score + 8 ? mix(shown.score, flight.score, 0.2) : flight.score;
  byId('score').textContent = Math.round(shown.score).toLocaleString();
  byId('chain').textContent = `×${clamp(flight.chain, 1, 20)}`;
  byId('night').textContent = `Night ${flight.number}`;
  const climbed = clamp(flight.moth.y / flight.topY, 0, 1);
  byId('climb').style.setProperty('--climb', `${(climbed * 100).toFixed(1)}%`);
}

function resize() {
  // More than two pixels per CSS pixel cost time and are not visible at this speed.
  const ratio = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.max(1, Math.round(innerWidth * ratio));
  canvas.height = Math.max(1, Math.round(innerHeight * ratio));
}

let lastMs = 0;
function frame(nowMs) {
  // After a pause (another tab, a slow device) the game goes on from where it stopped.
  const dt = clamp((nowMs - lastMs) / 1_000, 0, 1 / 20);
  lastMs = nowMs;
  button.pollGamepads();
  if (!paused) advance(dt);
  paint();
  writeHud();
  requestAnimationFrame(frame);
}

function setSound(on) {
  sound.setOn(on);
  byId('sound').setAttribute('aria-pressed', String(on));
}
const toggleSound = () => setSound(!sound.on);

function pause(on) {
  paused = on;
  if (on) sound.sleep();
  else if (screen !== 'title') sound.wake();
}

byId('sound').addEventListener('click', toggleSound);
byId('tonight').addEventListener('click', () => {
  sound.wake();
  canvas.focus({ preventScroll: true });
  begin(new Date().toISOString().slice(0, 10));
});
addEventListener('keydown', (event) => {
  if (event.code === 'KeyM') toggleSound();
});
addEventListener('resize', () => {
  resize();
  paint();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) sound.sleep();
  else if (screen !== 'title') sound.wake();
});

// The state of the game, for bots and the console.
Object.defineProperty(globalThis, 'mothlight', {
  get: () => ({ screen, screenSeconds, flight, paused, best: keeper.bestOf(day) }),
});

resize();
// Flies for three seconds first, so that the title shows a flight with some lanterns lit.
for (let time = 0; time < 3.1; time += 1 / 60) advance(1 / 60);
paint();
keeper.begin({ pause, mute: (muted) => setSound(!muted) });
requestAnimationFrame((nowMs) => {
  lastMs = nowMs;
  frame(nowMs);
});
