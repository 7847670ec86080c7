/** A time limit is made of so many timers, one after the other. */
const steps = 10;

/**
 * Calls `onEnd` after `milliseconds` in which this process was able to receive responses. While it stands still, because
 * the machine is busy or it computes, responses wait in its sockets and would be taken for missing: timers run first when
 * it goes on. Between two short timers, what has arrived is read. Returns how to cancel the call.
 */
export function afterListening(milliseconds: number, onEnd: () => void): () => void {
  let left = steps;
  let timer = setTimeout(step, milliseconds / steps);
  function step(): void {
    left--;
    if (left === 0) onEnd();
    else timer = setTimeout(step, milliseconds / steps);
  }
  return () => clearTimeout(timer);
}
