import { castOff, sail } from './course.js';
import { Helm } from './helm.js';
import * as logbook from './logbook.js';
import { Sound } from './sound.js';
import { View } from './view.js';

const byId = (id) => document.getElementById(id);
const canvas = byId('sea');
const view = new View(canvas);
const sound = new Sound();
const shavesWanted = 10;

/** `title`, `sail` or `over`. */
let screen = 'title';
let screenSeconds = 0;
let seconds = 0;
let trip = castOff('title');
let run = null;
let paused = false;

const helm = new Helm(canvas, () => {
  sound.wake();
  // A press that was meant for the trip must not close its result.
  if (screen === 'title' || (screen === 'over' && screenSeconds > 0.8)) begin();
});

function show(name) {
  screen = name;
  screenSeconds = 0;
  document.body.dataset.screen = name;
}

function begin() {
  run = logbook.castOff();
  // The rocks differ each time. Waiting for the seed of the run would delay the first stroke.
  trip = castOff(Math.random());
  show('sail');
}

function advance(dt) {
  seconds += dt;
  screenSeconds += dt;
  if (screen === 'title') {
    // The boat drifts behind the title.
    trip.out += 5 * dt;
    trip.x = Math.sin(seconds * 0.4) * 2;
    return;
  }
  sail(trip, helm.read(), dt);
  sound.sail(trip.state === 'sailing' ? trip.speed : 4);
  for (const event of trip.events.splice(0)) {
    if (event.type === 'lamp') sound.bell(trip.lamps);
    if (event.type === 'shave' && trip.shaves === shavesWanted) logbook.shavedClose();
    if (event.type === 'aground') {
      sound.knock();
      view.jolt();
      showResult();
    }
  }
}

async function showResult() {
  const { lamps } = trip;
  const metres = Math.round(trip.out);
  const before = logbook.read().furthest;
  byId('over-distance').textContent = `${metres.toLocaleString()} m`;
  const lines = [`Lamps: ${lamps}, ${(logbook.read().lamps + lamps).toLocaleString()} in all`];
  lines.push(metres > before ? 'Further than ever before' : `Your furthest: ${before.toLocaleString()} m`);
  byId('over-notes').textContent = lines.join('\n');
  show('over');
  const ended = trip;
  const result = await logbook.comeHome(await run, metres, lamps);
  drawSails();
  if (result === null || trip !== ended || screen !== 'over') return;
  lines.push(standing(result));
  if (result.next) lines.push(`@${result.next.handle} is next, with ${result.next.score.toLocaleString()} m`);
  byId('over-notes').textContent = lines.join('\n');
}

/**
 * Returns a line about the rank of a trip, the rank that a guest's would have, or that it is posted later.
 */
function standing({ queued, rank, entries }) {
  if (queued) return 'It counts once you are online again';
  const place = rank.toLocaleString();
  return logbook.isGuest() ? `It would be rank ${place}` : `Rank ${place} of ${entries.toLocaleString()}`;
}

/** Shows the colours of the sail. Those that need more lamps are disabled. */
function drawSails() {
  const { lamps, colour } = logbook.read();
  view.paintBoat(logbook.colours.find(({ name }) => name === colour)?.css ?? '#f4efe4');
  const buttons = logbook.colours.map((one) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-checked', String(one.name === colour));
    button.disabled = lamps < one.lamps;
    button.style.setProperty('--colour', one.css);
    button.title = button.disabled ? `${one.name}: with ${one.lamps} lamps` : one.name;
    button.setAttribute('aria-label', button.title);
    button.addEventListener('click', () => {
      logbook.choose(one.name);
      drawSails();
      canvas.focus({ preventScroll: true });
    });
    return button;
  });
  byId('sails').replaceChildren(...buttons);
}

function setSound(on) {
  sound.setOn(on);
  byId('sound').setAttribute('aria-pressed', String(on));
}

let lastMs = performance.now();
function frame(nowMs) {
  // After a pause the game goes on from where it stopped.
  const dt = Math.min(0.05, Math.max(0, (nowMs - lastMs) / 1_000));
  lastMs = nowMs;
  if (!paused) advance(dt);
  view.draw(trip, seconds, dt);
  byId('distance').textContent = `${Math.round(trip.out).toLocaleString()} m`;
  byId('lamps').textContent = trip.lamps;
  requestAnimationFrame(frame);
}

byId('sound').addEventListener('click', () => setSound(!sound.on));
addEventListener('keydown', ({ code }) => {
  if (code === 'KeyM') setSound(!sound.on);
});
addEventListener('resize', () => view.resize());
document.addEventListener('visibilitychange', () => {
  if (document.hidden) sound.sleep();
  else if (screen !== 'title') sound.wake();
});

view.resize();
drawSails();
requestAnimationFrame(frame);
logbook.open({
  pause(on) {
    paused = on;
    if (on) sound.sleep();
    else if (screen !== 'title') sound.wake();
  },
  mute: (muted) => setSound(!muted),
  changed: drawSails,
});
