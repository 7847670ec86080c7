/** The facts about one page or script. They are plain data, so that they can come from another thread. */
export interface Facts {
  /** The encoding that a page is in, as far as that can be told. */
  encoding: string;
  /** False for a page that does not tell it, or has bytes that are none of it: browsers may show other signs for them. */
  isLegible: boolean;
  /** `href` of the first `<base>`. */
  base: string | null;
  /** URLs of `<meta http-equiv="refresh">`. */
  refreshes: string[];
  redirects: Redirect[];
  forms: FormFacts[];
  /** Controls that text can be typed into: inputs, text areas and prompts, in the order of the page. */
  controls: ControlFacts[];
  /** Literal URLs that scripts assign to a form's `action`. */
  assignedActions: string[];
  /** What scripts want of the window around the frame and get an error for: `top.AudioContext`. */
  ofTop: string[];
  /** Files that the page loads. */
  references: Reference[];
  /** Paths in the import statements of modules. */
  imports: string[];
  /** The text of the page, or the strings of a script: normalized, at most `maxFactText` characters. */
  text: string;
}

/** A redirect of the page to a literal URL by a script. */
export interface Redirect {
  url: string;
  /** True if it happens while the page loads; false if something has to call it. */
  atLoad: boolean;
}

export interface FormFacts {
  /** Where the form can post to: its `action` and its buttons' `formaction`. Empty: to its own page. */
  destinations: string[];
  /** The first field for a password or a card, as `input type=password`; null if there is none. */
  sensitive: string | null;
}

export interface ControlFacts {
  /** The control's own texts: placeholder, label, name. */
  own: string;
  /** The text before and after the control on the page, at most 300 and 150 characters. */
  before: string;
  after: string;
}

export interface Reference {
  /** The URL as written in the page. */
  url: string;
  /** The element and attribute, such as `script src`. */
  by: string;
}

export const maxFactText = 65_536;
const maxPerKind = 2_000;

export function emptyFacts(): Facts {
  return {
    encoding: 'utf-8',
    isLegible: true,
    base: null,
    refreshes: [],
    redirects: [],
    forms: [],
    controls: [],
    assignedActions: [],
    ofTop: [],
    references: [],
    imports: [],
    text: '',
  };
}

/** Adds the facts of a part (an inline script, markup in a string) to the facts of the whole. */
export function mergeFacts(whole: Facts, part: Facts): void {
  whole.base ??= part.base;
  for (const item of part.refreshes) add(whole.refreshes, item);
  for (const item of part.redirects) add(whole.redirects, item);
  for (const item of part.forms) add(whole.forms, item);
  for (const item of part.controls) add(whole.controls, item);
  for (const item of part.assignedActions) add(whole.assignedActions, item);
  for (const item of part.ofTop) addSome(whole.ofTop, item);
  for (const item of part.references) addSome(whole.references, item);
  for (const item of part.imports) addSome(whole.imports, item);
  whole.text = `${whole.text} ${part.text}`.slice(0, maxFactText);
}

/** Thrown if the page nests deeper, or contains more, than can be judged in bounded time. */
export class PageTooComplex extends Error {}

/**
 * Adds an item that can get a page refused.
 * @throws PageTooComplex if there are too many: leaving out the rest could hide harm
 */
export function add<T>(whole: T[], item: T): void {
  if (whole.length >= maxPerKind) throw new PageTooComplex('too many of one kind');
  whole.push(item);
}

/** Adds an item that only leads to warnings. Items beyond the limit are left out. */
export function addSome<T>(whole: T[], item: T): void {
  if (whole.length < maxPerKind) whole.push(item);
}

/**
 * Normalizes text to what a person reads: folds compatibility forms, removes invisible
 * characters, collapses white space.
 */
export function readable(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ');
}
