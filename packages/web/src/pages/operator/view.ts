/** What every view of the operator's page is given. */
export interface OperatorView {
  /** Something that waited was decided: the counts beside the views are asked for again. */
  readonly onDecided: () => void;
}
