import type { Finding } from '@spaceport/contract/versions';
import type { CheckedVersion, Rule } from './rule.ts';
import { publishAgain, shown } from './rules/finding.ts';

export type Verdict = 'pass' | 'refused' | 'unjudged';

export interface RulesVerdict {
  readonly verdict: Verdict;
  /** For the creator: what was found, where, and what to change. Absent if the version passes. */
  readonly reason?: string;
  /** Refusals first, at most 100. */
  readonly findings: Finding[];
  /** The error of a rule that threw before the time was over: no fault of the version. */
  readonly thrown?: unknown;
}

const maxFindings = 100;
const maxTextLength = 600;
const maxPathLength = 240;
const severities = ['refuse', 'unjudged', 'warn'] as const;

/**
 * Runs all rules at once over a version and sums up their findings. Never throws: a rule that throws, or has
 * not answered when the signal aborts, counts as undecided, and an undecided version does not pass.
 */
export async function runRules(rules: readonly Rule[], version: CheckedVersion): Promise<RulesVerdict> {
  const overTime = aborted(version.signal);
  const thrown: unknown[] = [];
  const findingsOf = async (rule: Rule): Promise<Finding[]> => {
    try {
      return await Promise.race([rule.check(version), overTime.promise]);
    } catch (error) {
      if (!version.signal.aborted) thrown.push(error);
      return [undecided(rule, version.signal.aborted)];
    }
  };
  const found = await Promise.all(rules.map(findingsOf));
  overTime.stop();
  return { ...sumUp(found.flat()), ...(thrown.length === 0 ? {} : { thrown: thrown[0] }) };
}

/**
 * Passes a verdict that a rule's error may have left open, such as an outage of the database, on as that error: the
 * check runs again, and the operator's log has it. What another rule refuses is refused anyway.
 * @throws the error
 */
export function requireDecided({ verdict, thrown }: RulesVerdict): void {
  if (thrown !== undefined && verdict !== 'refused') throw thrown;
}

/** Returns the verdict for findings in any order. */
export function sumUp(found: readonly Finding[]): RulesVerdict {
  const findings = severities
    .flatMap((severity) => found.filter((one) => one.severity === severity))
    .slice(0, maxFindings)
    .map(bounded);
  const refusal = findings.find(({ severity }) => severity === 'refuse');
  if (refusal) return { verdict: 'refused', reason: refusalReason(refusal, findings), findings };
  const doubt = findings.find(({ severity }) => severity === 'unjudged');
  if (doubt) return { verdict: 'unjudged', reason: `${at(doubt)}${doubt.message} ${doubt.fix}`, findings };
  return { verdict: 'pass', findings };
}

function undecided({ name }: Rule, isOverTime: boolean): Finding {
  const message = isOverTime
    ? `The check took too long, so the rule "${name}" could not decide.`
    : `The rule "${name}" could not finish reading the files.`;
  return { rule: name, severity: 'unjudged', message, fix: publishAgain };
}

/** Returns a promise that rejects when the signal aborts, so that rules which wait for ever end too. */
function aborted(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  // Without rules nothing awaits the promise.
  promise.catch(() => {});
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return { promise, stop: () => signal.removeEventListener('abort', abort) };
}

function refusalReason(first: Finding, findings: readonly Finding[]): string {
  const paths = findings
    .filter(({ severity, rule, path }) => severity === 'refuse' && rule === first.rule && path !== first.path)
    .flatMap(({ path }) => path ?? []);
  const others = new Set(paths).size;
  const more = others > 0 ? ` (and ${others} more ${others === 1 ? 'file' : 'files'})` : '';
  return `Refused by the rule "${first.rule}"${first.path ? ` for ${first.path}${more}` : ''}: ${first.message} ${first.fix}`;
}

function at({ path }: Finding): string {
  return path ? `${path}: ` : '';
}

function bounded({ rule, severity, path, line, message, fix }: Finding): Finding {
  return {
    rule,
    severity,
    ...(path === undefined ? {} : { path: shown(path).slice(0, maxPathLength) }),
    ...(line === undefined ? {} : { line }),
    message: message.slice(0, maxTextLength),
    fix: fix.slice(0, maxTextLength),
  };
}
