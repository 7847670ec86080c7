/** The fix for windows that the page opens, and for links and calls in its files that would open one. */
export const windowsFix =
  'Games are shown in a frame that cannot open windows: window.open answers null, and links with target="_blank" do nothing. Show the content in the page itself (an element over the game, a separate screen), and put links to other sites on the page of the space (its links).';
