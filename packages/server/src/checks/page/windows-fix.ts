/** The fix for windows that the page opens, and for links and calls in its files that would open one. */
export const windowsFix =
  'Games are shown in a frame that may open no window: window.open answers null, and links with target="_blank" do nothing. Show it in the page itself (an element over the game, an own screen), and put links to elsewhere on the page of the space (its links).';
