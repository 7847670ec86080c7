/** A place in a script, as a line of a stack names it. Lines and columns from 1. */
export interface StackFrame {
  readonly url: URL;
  readonly line: number;
  readonly column: number;
  /** As the script is sent: after a bundler, often a letter. */
  readonly functionName: string | null;
}

/** Longer lines are no frames: nothing is searched in them. */
const longestLine = 1_000;
const place = /(https?:\/\/[^\s()@]+):(\d{1,9}):(\d{1,9})\)?$/u;
/** `at name (…` of V8, and `name@…` of the others. */
const nameOfV8 = /^\s*at (?:async )?(?:new )?([^\s(]{1,200})(?: \[as [^\]]{1,200}\])? \($/u;
const nameOfOthers = /^\s*([^\s@]{1,200})@$/u;

/** The frame that a line of a stack is, in the words of any browser; null for a line that is none. */
export function frameIn(text: string): StackFrame | null {
  if (text.length > longestLine) return null;
  const found = place.exec(text.trimEnd());
  const [, address = '', line = '', column = ''] = found ?? [];
  if (!found || !URL.canParse(address)) return null;
  const before = text.slice(0, found.index);
  const named = nameOfV8.exec(before) ?? nameOfOthers.exec(before);
  return {
    url: new URL(address),
    line: Number(line),
    column: Number(column),
    functionName: named?.[1] ?? null,
  };
}

/** The first frame of a stack. */
export function firstFrame(stack: string): StackFrame | null {
  for (const line of stack.split('\n')) {
    const frame = frameIn(line);
    if (frame) return frame;
  }
  return null;
}
