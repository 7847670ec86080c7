import { useRef } from 'preact/compat';

/** Returns a `key` that changes with each answer, for a part that starts again with the new one (usePages). */
export function useAnswerKey(answer: unknown): number {
  const last = useRef({ answer, key: 0 });
  if (last.current.answer !== answer) last.current = { answer, key: last.current.key + 1 };
  return last.current.key;
}
