/** How far the service's clock is ahead of this browser's, by the last answer that told. */
let aheadMs = 0;

export function serviceAheadMs(): number {
  return aheadMs;
}

/** Called when a request begins. Returns the function that reads the service's clock from the answer's headers. */
export function readsServiceClock(): (answered: Pick<Headers, 'get'>) => void {
  const from = Date.now();
  return (answered) => {
    aheadMs = aheadOf(answered.get('date'), from, Date.now()) ?? aheadMs;
  };
}

/**
 * Returns by how many ms another clock is ahead, as far as that is certain, from its Date header, which has
 * whole seconds, and was written between two times of this clock. Returns null without a header.
 */
function aheadOf(header: string | null, from: number, to: number): number | null {
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? null : Math.max(date - to, Math.min(0, date + 1_000 - from));
}
