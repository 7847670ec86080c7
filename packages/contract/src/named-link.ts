/** A link: its words, and where it leads. */
export interface NamedLink {
  readonly label: string;
  readonly href: string;
}
