/** The words for errors that no answer of the service explains. */
export const noAnswer = 'No answer came. Look whether you are online, then try again.';
export const brokenPage =
  'Something went wrong on this page. Load it again; if it stays, tell us what you did.';
export const missingPart = 'A part of this page could not be loaded. Loading the page again may help.';
