/**
 * Returns the reason of an error in one line for the operator: its message (or its code, if it has none), and
 * the reason of its cause.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several attempts, the last one's error is used.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors.at(-1));
  const { message, cause } = error;
  if (message === '' && cause instanceof Error) return reasonOf(cause);
  const [own = ''] = (message || ('code' in error ? String(error.code) : error.name)).split('\n', 1);
  if (!(cause instanceof Error)) return own;
  const reason = reasonOf(cause);
  return own.includes(reason) ? own : `${own}: ${reason}`;
}
