/**
 * How often a property of a test is tried. `TEST_TRIES=10 npm test -- WORDS` tries it ten times as often as each run does: what
 * one try costs is not little here, and a run of everything has many.
 */
export function tries(usual: number): number {
  return usual * Number(process.env.TEST_TRIES ?? 1);
}
