import { setImmediate as turn } from 'node:timers/promises';

/** Returns the names of the warnings that Node gives during the work, such as that of a leak of listeners. */
export async function warningsOf(work: () => Promise<void>): Promise<string[]> {
  const names: string[] = [];
  const note = ({ name }: Error) => void names.push(name);
  process.on('warning', note);
  await work();
  await turn();
  process.off('warning', note);
  return names;
}
