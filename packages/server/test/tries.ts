/**
 * Returns how often a test tries a property. `TEST_TRIES=10 npm test -- WORDS` tries it ten times as often.
 * One try of these properties is expensive, so a usual run makes few.
 */
export function tries(usual: number): number {
  return usual * Number(process.env.TEST_TRIES ?? 1);
}
