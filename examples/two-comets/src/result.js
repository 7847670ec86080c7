import { byId, say } from './page.js';

const seconds = (value) => `${value.toFixed(2)} s`;

/** Shows how a race ended. It is decided once both have arrived. */
export function writeResult({ meeting, took, chosen }) {
  const theirs = meeting?.otherTook ?? null;
  const isAlone = meeting === null || meeting.partner === undefined;
  say('result', wordsFor(took, theirs, isAlone));
  say('times', `You: ${seconds(took)}${theirs === null ? '' : `. The other one: ${seconds(theirs)}`}`);
  const isReady = meeting?.isReady(meeting.me) ?? false;
  say('again', isReady ? 'Waiting for the other one…' : 'Again');
  byId('again').disabled = isReady || (meeting !== null && meeting.partner === undefined);
  byId('like').hidden = !chosen.id || chosen.yours === true;
  byId('like').ariaPressed = String(chosen.liked === true);
  return { isDecided: theirs !== null, isWon: theirs !== null && took < theirs };
}

function wordsFor(took, theirs, isAlone) {
  if (theirs === null) return isAlone ? 'You are home' : 'Home first!';
  if (theirs === took) return 'At the same moment';
  return took < theirs ? 'You are ahead' : 'The other one was ahead';
}
