/** What was read out of one page or script: plain data, so that it can come from another thread. */
export interface Facts {
  /** `href` of the first `<base>`. */
  base: string | null;
  /** URLs of `<meta http-equiv="refresh">`. */
  refreshes: string[];
  redirects: Redirect[];
  forms: FormFacts[];
  /** What may be typed into: inputs, text areas, prompts; in the order of the page. */
  controls: ControlFacts[];
  /** Literal URLs that scripts give to a form's `action`. */
  assignedActions: string[];
  /** Files that the page loads. */
  references: Reference[];
  /** Paths that modules import at their top. */
  imports: string[];
  /** What is read on the page, or the texts in a script: normalized, at most `maxFactText` characters. */
  text: string;
}

/** A script that sends the page to a literal URL. */
export interface Redirect {
  url: string;
  /** True where it happens by loading the page; false where something has to call it. */
  atLoad: boolean;
}

export interface FormFacts {
  /** Where it can post to: `action` and its buttons' `formaction`. None: to its own page. */
  destinations: string[];
  /** The first field that takes a password or a card, as `input type=password`; null where it has none. */
  sensitive: string | null;
}

export interface ControlFacts {
  /** What the control says of itself: placeholder, label, name. */
  own: string;
  /** Text that stands before and after it on the page, at most 300 and 150 characters. */
  before: string;
  after: string;
}

export interface Reference {
  /** As written in the page. */
  url: string;
  /** As in `script src`. */
  by: string;
}

export const maxFactText = 65_536;
const maxPerKind = 2_000;

export function emptyFacts(): Facts {
  return {
    base: null,
    refreshes: [],
    redirects: [],
    forms: [],
    controls: [],
    assignedActions: [],
    references: [],
    imports: [],
    text: '',
  };
}

/** Adds what was found in a part (an inline script, markup in a string) to the facts of the whole. */
export function mergeFacts(whole: Facts, part: Facts): void {
  whole.base ??= part.base;
  for (const item of part.refreshes) add(whole.refreshes, item);
  for (const item of part.redirects) add(whole.redirects, item);
  for (const item of part.forms) add(whole.forms, item);
  for (const item of part.controls) add(whole.controls, item);
  for (const item of part.assignedActions) add(whole.assignedActions, item);
  for (const item of part.references) addSome(whole.references, item);
  for (const item of part.imports) addSome(whole.imports, item);
  whole.text = `${whole.text} ${part.text}`.slice(0, maxFactText);
}

/** The page nests deeper, or holds more, than can be judged in bounded time. */
export class PageTooComplex extends Error {}

/**
 * Adds one more of what a page is judged by.
 * @throws PageTooComplex for more than anybody needs: if the rest were left out, harm could hide behind a crowd.
 */
export function add<T>(whole: T[], item: T): void {
  if (whole.length >= maxPerKind) throw new PageTooComplex('too many of one kind');
  whole.push(item);
}

/** Adds one more of what only warnings come from: the first thousands are enough. */
export function addSome<T>(whole: T[], item: T): void {
  if (whole.length < maxPerKind) whole.push(item);
}

/** Text as a person reads it: compatibility forms folded, invisible characters out, white space single. */
export function readable(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ');
}
