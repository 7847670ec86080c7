import { Lilies } from './lilies.js';
import { watchGamepads } from './pads.js';
import { isInBloom, pondOfDay, pondOfWalk, pondsInAll, touch, touchBack } from './pond.js';
import * as progress from './progress.js';
import { Sound } from './sound.js';

const byId = (id) => document.getElementById(id);
const sound = new Sound();
const lilies = new Lilies(byId('pond'), touchAt);

/**
 * `number` is the pond's number in the walk. It is null for the pond of a day, which has a `day` and a `run`.
 */
let game = { number: 1, day: null, run: null, pond: pondOfWalk(1), touched: [], began: 0, done: false };

const today = () => new Date().toISOString().slice(0, 10);

function lay(number, day = null) {
  const pond = day === null ? pondOfWalk(number) : pondOfDay(day);
  game = {
    number: day === null ? number : null,
    day,
    run: null,
    pond,
    touched: [],
    began: performance.now(),
    done: false,
  };
  if (day !== null) {
    const opened = game;
    progress
      .tell((spaceport) => spaceport.run('today'))
      .then((run) => {
        if (run?.submit) opened.run = run;
      });
  }
  lilies.lay(pond);
  byId('name').textContent = day === null ? `Pond ${number}` : 'Pond of the day';
  byId('hint').textContent =
    number === 1 && day === null
      ? 'Touch a lily: it and its neighbours open a little further.'
      : `Laid with ${pond.needed} touches.`;
  byId('said').textContent = '';
  writeState();
}

function writeState() {
  const { pond, touched, done, number, day } = game;
  byId('count').textContent = `${touched.length} of ${pond.needed} touches`;
  byId('count').classList.toggle('over', touched.length > pond.needed);
  byId('undo').disabled = done || touched.length === 0;
  byId('again').disabled = touched.length === 0;
  byId('next').hidden = !done || number === pondsInAll;
  byId('next').textContent = day === null ? 'Next pond' : 'Back to the walk';
  byId('day').hidden = day !== null;
}

function touchAt(at) {
  sound.wake();
  if (game.done || game.pond.lilies[at] === null) return;
  if (game.touched.length === 0) progress.tell((spaceport) => spaceport.playing(true));
  touch(game.pond, at);
  game.touched.push(at);
  sound.pluck(at);
  lilies.ripple(game.pond, at);
  lilies.show(game.pond);
  if (isInBloom(game.pond)) finish();
  writeState();
}

function undo() {
  const last = game.done ? undefined : game.touched.pop();
  if (last === undefined) return;
  touchBack(game.pond, last);
  lilies.show(game.pond);
  writeState();
}

async function finish() {
  game.done = true;
  sound.bloom();
  const { number, day, run, pond, touched, began } = game;
  const isClean = touched.length <= pond.needed;
  byId('said').textContent = isClean ? 'In bloom, and not a touch too many.' : 'In bloom.';
  if (isClean) progress.tell((spaceport) => spaceport.celebrate());
  progress.tell((spaceport) => spaceport.playing(false));
  progress.tell((spaceport) => spaceport.stats.add('touches', touched.length));
  if (day === null) await tellWalk(number, touched.length);
  else await tellDay(day, run, Math.round(performance.now() - began));
}

async function tellWalk(number, touches) {
  const ponds = await progress.pondDone(number, touches);
  const clean = Object.entries(progress.walk.fewest).filter(
    ([one, fewest]) => fewest <= pondOfWalk(Number(one)).needed,
  );
  progress.tell((spaceport) => spaceport.stats.set('ponds', ponds));
  progress.tell((spaceport) => spaceport.stats.set('clean', clean.length));
  progress.tell((spaceport) => spaceport.scores.submit('walk', ponds));
  if (number === pondsInAll) byId('said').textContent = 'The whole walk is in bloom.';
}

async function tellDay(day, run, milliseconds) {
  if (await progress.dayDone(day)) progress.tell((spaceport) => spaceport.stats.add('days', 1));
  const result = await progress.tell(() => run?.submit(milliseconds));
  const seconds = (milliseconds / 1_000).toFixed(1);
  if (game.day !== day) return;
  byId('said').textContent = result?.rank
    ? `In bloom after ${seconds} s: ${progress.isGuest() ? `it would be rank ${result.rank}` : `rank ${result.rank} of ${result.entries}`} today.`
    : `In bloom after ${seconds} s.`;
}

const goOn = () => lay(Math.min(progress.walk.pond, pondsInAll));
const again = () => lay(game.number, game.day);

const acts = {
  touch: () => document.activeElement?.click(),
  undo,
  again,
  next: () => game.done && goOn(),
  up: () => lilies.move(game.pond.size, -1, 0),
  down: () => lilies.move(game.pond.size, 1, 0),
  left: () => lilies.move(game.pond.size, 0, -1),
  right: () => lilies.move(game.pond.size, 0, 1),
};
const keys = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Backspace: 'undo',
  KeyU: 'undo',
  KeyR: 'again',
  KeyN: 'next',
};

addEventListener('keydown', (event) => {
  // The browser's own shortcuts: Ctrl+R loads the page again.
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.code === 'KeyM') toggleSound();
  const act = keys[event.code];
  if (act === undefined) return;
  event.preventDefault();
  acts[act]();
});
watchGamepads((name) => acts[name]());

byId('undo').addEventListener('click', undo);
byId('again').addEventListener('click', again);
byId('next').addEventListener('click', goOn);
byId('day').addEventListener('click', () => lay(0, today()));
byId('sound').addEventListener('click', toggleSound);

function toggleSound() {
  setSound(!sound.on);
}
function setSound(on) {
  sound.setOn(on);
  byId('sound').setAttribute('aria-pressed', String(on));
}

lay(1);
setSound(!progress.isMuted());
progress.on('mute', (muted) => setSound(!muted));
progress.on('player', async () => {
  await progress.load();
  if (game.day === null && game.touched.length === 0) goOn();
});
await progress.begin();
if (game.touched.length === 0) goOn();
