/** The requested page of a list, as every list of operators takes it. */
export interface ListQuery {
  /** The `next` of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}
