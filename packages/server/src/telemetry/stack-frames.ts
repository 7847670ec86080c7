/** A position in a script, as a line of a stack names it. Line and column start from 1. */
export interface StackFrame {
  readonly url: URL;
  readonly line: number;
  readonly column: number;
  /** The name in the script as it was sent: after a bundler, often one letter. */
  readonly functionName: string | null;
}

/** Longer lines are not frames, and are not searched. */
const longestLine = 1_000;
const place = /(https?:\/\/[^\s()@]+):(\d{1,9}):(\d{1,9})\)?$/u;
/** `at name (…` in V8, and `name@…` in other engines. */
const nameOfV8 = /^\s*at (?:async )?(?:new )?([^\s(]{1,200})(?: \[as [^\]]{1,200}\])? \($/u;
const nameOfOthers = /^\s*([^\s@]{1,200})@$/u;

/** Parses a line of a stack in the format of any browser; null if it is not a frame. */
export function frameIn(text: string): StackFrame | null {
  if (text.length > longestLine) return null;
  const found = place.exec(text.trimEnd());
  const [, address = '', line = '', column = ''] = found ?? [];
  const url = URL.parse(address);
  if (!found || url === null) return null;
  const before = text.slice(0, found.index);
  const named = nameOfV8.exec(before) ?? nameOfOthers.exec(before);
  return {
    url,
    line: Number(line),
    column: Number(column),
    functionName: named?.[1] ?? null,
  };
}

/** Returns the first frame of a stack. */
export function firstFrame(stack: string): StackFrame | null {
  for (const line of stack.split('\n')) {
    const frame = frameIn(line);
    if (frame) return frame;
  }
  return null;
}
