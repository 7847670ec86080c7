export interface Violation {
  path: string;
  line: number;
  what: string;
  why: string;
}
