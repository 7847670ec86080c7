/** The props of every view of the operator's page. */
export interface OperatorView {
  /** Called after a decision: the counts beside the views are read again. */
  readonly onDecided: () => void;
}
