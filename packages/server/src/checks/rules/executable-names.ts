/** Programs of desktops and phones, and scripts that Windows runs on a double click. `.com` is left out: it ends addresses too. */
const programs = /\.(?:exe|msi|msix|appx|apk|xapk|aab|dmg|bat|cmd|ps1|vbs|vbe|hta|pif|lnk|deb|rpm)$/iu;
/** Screen savers are programs; alone, the same ending is a picture of an old home computer or a script of a novel. */
const screenSaver = /\.scr$/iu;

/** Whether a file of this name is a program to whoever downloads it. */
export function isProgramName(path: string): boolean {
  return programs.test(path);
}

/** The same for what is packed in an archive: there, nobody but the one who unpacks it looks. */
export function isArchivedProgramName(name: string): boolean {
  // Windows drops dots and spaces at the end of a name.
  const bare = name.replace(/[. ]+$/u, '');
  return programs.test(bare) || screenSaver.test(bare);
}
