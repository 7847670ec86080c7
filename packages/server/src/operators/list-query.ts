/** Which page of a list is asked for, as every list of operators takes it. */
export interface ListQuery {
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}
