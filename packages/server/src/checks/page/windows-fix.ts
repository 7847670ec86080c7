/** The fix for a page that leads out of its frame: to another site, or by a new window. */
export const windowsFix =
  'Games are shown in a frame that opens no windows and no other sites: window.open answers null, and such links do nothing. Show the content in the page itself (an element over the game, a separate screen), and put links to other sites on the page of the space (its links).';
