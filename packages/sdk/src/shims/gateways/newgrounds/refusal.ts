/** Errors of Newgrounds.io by name, with their codes there. */
const refusals = {
  missingParameter: 102,
  invalidParameter: 103,
  expiredSession: 104,
  tooManyCalls: 107,
  tooMuchMemory: 108,
  loginRequired: 110,
  invalidAppId: 200,
  invalidEncryption: 201,
  invalidMedal: 202,
  invalidBoard: 203,
  unavailable: 504,
} as const;

/** The error of a component. */
export class Refusal extends Error {
  readonly code: number;
  constructor(what: keyof typeof refusals, message: string) {
    super(message);
    this.code = refusals[what];
  }
}

const kinds: Readonly<Record<string, keyof typeof refusals>> = {
  sign_in_required: 'loginRequired',
  rate_limited: 'tooManyCalls',
  too_large: 'tooMuchMemory',
  offline: 'unavailable',
  timeout: 'unavailable',
};

/** Returns the gateway's error for an error of the module. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new Refusal(
    kinds[code] ?? 'invalidParameter',
    error instanceof Error ? error.message : String(error),
  );
}
