import { openDrawing } from './drawing.js';
import { holdOn } from './input.js';
import { Meeting } from './meeting.js';
import { byId, say } from './page.js';
import { openView, paintComet, paintRing, paintSky, paintStroke, paintThumbnail } from './painter.js';
import { isHome, lapOf, rules, startComet, step } from './race.js';
import { writeResult } from './result.js';
import { builtIn, layRing } from './ring.js';
import { likeRing, Rings } from './rings.js';
import { spaceport, tell, tellRace, wordsFor } from './service.js';
import { ring as chime, setSound, wakeSound } from './sound.js';

const canvas = byId('sky');
const view = openView(canvas);
const held = holdOn(canvas);
const rings = new Rings();
const countdownSeconds = 3;

let screen = 'title';
/** The meeting with another player, null for a player alone. */
let meeting = null;
/** The ring of the race. */
let chosen = builtIn[0];
let track = layRing(chosen.points);
let comet = null;
/** The player's own best flight on this ring, to practise against: its place at each step. */
let shadow = null;
let flown = [];
/** The time of the race. It is negative during the countdown. */
let raceSeconds = 0;
let leftSeconds = 0;
let lastMs = 0;
let took = null;
let isPaused = false;

function show(name) {
  screen = name;
  document.body.dataset.screen = name;
  void tell(({ rooms, playing }) => {
    rooms.lobby(name === 'title');
    playing(name === 'race');
  });
  if (name === 'race') canvas.focus();
}

function choose(ring) {
  if (ring.points !== chosen.points) shadow = null;
  chosen = ring;
  track = layRing(ring.points);
}

function showChosen() {
  say('ring', `${chosen.title || 'A ring'}${chosen.handle ? ` by @${chosen.handle}` : ''}`);
  paintThumbnail(byId('chosen'), chosen.points);
}

// Meeting.

async function meet(how) {
  wakeSound();
  say('title-said', 'One moment…');
  const room = await tell(how);
  if (room === null || room.failed) {
    say('title-said', wordsFor(room?.failed ?? 'unsupported'));
    return;
  }
  say('title-said', '');
  meeting = new Meeting(room, {
    changed: showMeeting,
    start: begin,
    over(why) {
      meeting = null;
      show('title');
      say('title-said', why === 'left' ? '' : 'The room is closed.');
    },
  });
  if (meeting.ring === null) meeting.choose(chosen);
  show('lobby');
  showMeeting();
}

function showMeeting() {
  if (meeting === null) return;
  if (meeting.ring !== null && screen !== 'race') {
    const { title, points, handle, id } = meeting.ring;
    if (id === null || id !== chosen.id) choose({ id, title, handle, points });
    showChosen();
  }
  const { partner, me } = meeting;
  const name = partner?.handle ? `@${partner.handle}` : 'The other one';
  const isReady = meeting.isReady(me);
  say(
    'who',
    partner === undefined
      ? 'Waiting for the other one…'
      : meeting.isAway
        ? `${name} is away for a moment…`
        : meeting.isReady(partner)
          ? `${name} is ready`
          : `${name} is here`,
  );
  byId('meeting').hidden = partner !== undefined;
  say('room-code', meeting.code);
  byId('room-link').value = meeting.link;
  byId('ready').disabled = partner === undefined || isReady;
  say('ready', isReady ? 'Waiting…' : 'Ready');
  if (screen === 'result') showResult();
}

// Racing.

function begin() {
  comet = startComet(meeting === null || meeting.isFirst);
  flown = [];
  took = null;
  leftSeconds = 0;
  raceSeconds = -countdownSeconds;
  show('race');
}

function fly(seconds) {
  leftSeconds = Math.min(0.25, leftSeconds + seconds);
  for (; leftSeconds >= rules.stepSeconds && screen === 'race'; leftSeconds -= rules.stepSeconds) {
    const before = Math.ceil(raceSeconds);
    raceSeconds += rules.stepSeconds;
    if (raceSeconds < 0) {
      if (Math.ceil(raceSeconds) !== before) chime(330);
      continue;
    }
    if (before <= 0 && flown.length === 0) chime(660, 0.6);
    const dust = comet.dust;
    step(comet, track, held.isDown, otherNow());
    if (comet.dust > dust) chime(520 + 60 * (comet.dust % 8), 0.15, 0.06);
    flown.push([comet.s, comet.d]);
    if (isHome(comet, track)) arrive();
  }
}

/** Returns the place of the other comet: the partner's, or that of the player's best flight. */
function otherNow() {
  if (meeting !== null) return meeting.other;
  const at = shadow?.[flown.length];
  return at ? { s: at[0], d: at[1], drift: 0, boost: 0.3, isInTail: false } : null;
}

function arrive() {
  took = Math.round(raceSeconds * 100) / 100;
  if (meeting === null) {
    if (shadow === null || flown.length < shadow.length) shadow = flown;
  } else meeting.tellTook(took);
  chime(880, 0.8);
  show('result');
  showResult();
}

let isTold = true;

function showResult() {
  const { isDecided, isWon } = writeResult({ meeting, took, chosen });
  if (!isDecided || isTold) return;
  isTold = true;
  void tellRace(isWon);
}

function frame(nowMs) {
  const seconds = Math.min(0.25, (nowMs - lastMs) / 1000);
  lastMs = nowMs;
  if (screen === 'race' && !isPaused) {
    const other = meeting?.other ?? null;
    // Until its next message, the other comet goes on at the same speed.
    if (other !== null && raceSeconds > 0) other.s += other.v * seconds;
    fly(seconds);
    if (meeting !== null && raceSeconds > 0) meeting.tellWhere(comet, nowMs);
  }
  paintSky(view, nowMs / 1000);
  if (screen === 'draw') {
    if (drawing.ring !== null) paintRing(view, drawing.ring.track, null, nowMs / 1000);
    else if (drawing.stroke !== null) paintStroke(view, drawing.stroke);
  } else {
    paintRing(view, track, screen === 'race' ? comet : null, nowMs / 1000);
    const other = otherNow();
    if (screen === 'race') {
      if (other !== null) paintComet(view, track, other, 1);
      else if (meeting !== null) paintComet(view, track, startComet(!meeting.isFirst), 1);
      paintComet(view, track, comet, 0);
      say('lap', `Lap ${lapOf(comet, track)} of ${rules.laps}`);
      say('banner', raceSeconds < 0 ? String(Math.ceil(-raceSeconds)) : raceSeconds < 0.8 ? 'Go' : '');
    }
  }
  requestAnimationFrame(frame);
}

const drawing = openDrawing(canvas, { isOn: () => screen === 'draw', onPublished: choose });

// Buttons.

const press = (id, run) => byId(id).addEventListener('click', run);
let backTo = 'title';
const pick = (onChosen) => {
  backTo = screen;
  show('rings');
  void rings.open(onChosen);
};
const pickTogether = () =>
  pick((ring) => {
    choose(ring);
    meeting?.choose(ring);
    if (meeting === null) return begin();
    show('lobby');
    showMeeting();
  });

press('invite', () => meet(() => Meeting.create()));
press('anyone', () => meet(() => Meeting.anyone()));
press('alone', pickTogether);
press('draw', () => {
  drawing.begin();
  show('draw');
});
byId('join').addEventListener('submit', (event) => {
  event.preventDefault();
  void meet(() => Meeting.join(byId('code').value));
});
press('ready', () => {
  wakeSound();
  isTold = false;
  meeting.setReady(true);
});
press('pick', pickTogether);
press('leave', () => meeting.leave());
press('back', () => show(backTo));
press('drawn-back', () => show('title'));
press('try', () => {
  wakeSound();
  choose({ title: 'Your ring', points: drawing.ring.points });
  begin();
});
press('again', () => {
  if (meeting === null) return begin();
  isTold = false;
  meeting.setReady(true);
});
press('other', pickTogether);
press('like', async () => {
  await likeRing(chosen);
  showResult();
});
press('end', () => {
  if (meeting === null) show('title');
  else meeting.leave();
});
byId('room-link').addEventListener('focus', ({ target }) => target.select());

// The page around the game.

async function start() {
  show('title');
  requestAnimationFrame(frame);
  if (spaceport === null) return;
  await spaceport.ready();
  setSound(!spaceport.muted);
  spaceport.on('mute', (muted) => setSound(!muted));
  spaceport.on('pause', () => {
    // A race of two is not paused, because the other player goes on.
    isPaused = meeting === null;
  });
  spaceport.on('resume', () => {
    isPaused = false;
  });
  const join = (code) => meet(() => Meeting.join(code));
  spaceport.on('invited', join);
  const code = spaceport.rooms.invited();
  if (code !== null) await join(code);
}

void start();

/** The state of the game, for tests and the console. */
globalThis.twoComets = {
  rules,
  get state() {
    return { screen, raceSeconds, took, chosen, comet, other: otherNow(), partner: meeting?.partner };
  },
};
