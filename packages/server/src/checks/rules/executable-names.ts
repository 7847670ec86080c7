/** Programs of desktops and phones. `.com` is left out: it ends addresses too. */
const programs = /\.(?:exe|msi|msix|appx|apk|xapk|aab|dmg|vbs|vbe|hta|pif|lnk|deb|rpm)$/iu;
/** Scripts that a double click runs; alone they are mostly what built the game, forgotten in its folder. */
const scripts = /\.(?:bat|cmd|ps1)$/iu;
/** Screen savers are programs; alone, the same ending is a picture of an old home computer or a script of a novel. */
const screenSaver = /\.scr$/iu;

/** Whether a file of this name is a program to whoever downloads it. */
export function isProgramName(path: string): boolean {
  return programs.test(path);
}

export function isWindowsScriptName(path: string): boolean {
  return scripts.test(path);
}

/** In an archive all of these count: nobody but the one who unpacks it looks there. */
export function isArchivedProgramName(name: string): boolean {
  // Windows drops dots and spaces at the end of a name.
  const bare = name.replace(/[. ]+$/u, '');
  return programs.test(bare) || scripts.test(bare) || screenSaver.test(bare);
}
