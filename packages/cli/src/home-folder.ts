import { homedir, userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * Returns the user's home folder. The system may know none (a container's user without a name) or a wrong one (an empty
 * HOME, which would be the current folder, and put tokens into a project): then it is the root.
 */
export function homeFolder(): string {
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const home = ask();
      if (isAbsolute(home)) return home;
    } catch {
      // It has no entry for the user.
    }
  }
  return resolve('/');
}
