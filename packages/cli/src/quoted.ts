/** Returns a word as the shells of a system take it: on Windows in the form that cmd and PowerShell share. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[\w@+:./\\-]+$/u.test(word) ? word : `"${word}"`;
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
