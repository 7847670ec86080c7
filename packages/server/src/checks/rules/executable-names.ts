/** Programs of desktops and phones. `.com` is left out, because web addresses end in it too. */
const programs = /\.(?:exe|msi|msix|appx|apk|xapk|aab|dmg|vbs|vbe|hta|pif|lnk|deb|rpm)$/iu;
/**
 * Scripts that run on a double click. Outside an archive they are mostly build scripts
 * that were forgotten in the folder.
 */
const scripts = /\.(?:bat|cmd|ps1)$/iu;
/**
 * Screen savers are programs. Outside an archive, the same ending is a picture of an old home
 * computer or a script of a novel.
 */
const screenSaver = /\.scr$/iu;

/** Returns whether a file of this name is a program to people who download it. */
export function isProgramName(path: string): boolean {
  return programs.test(path);
}

export function isWindowsScriptName(path: string): boolean {
  return scripts.test(path);
}

/**
 * Returns whether a name in an archive is that of a program. All kinds count here: only the person who
 * unpacks the archive sees them.
 */
export function isArchivedProgramName(name: string): boolean {
  const bare = withoutEnd(name);
  return programs.test(bare) || scripts.test(bare) || screenSaver.test(bare);
}

/**
 * Returns a name without the dots and spaces at its end: Windows drops them. An expression would look from each
 * dot and space of a long name for its end.
 */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}
