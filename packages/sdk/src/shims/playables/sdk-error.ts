/** Error types by number, which compiled games use, and by name. */
export const SdkErrorType = {
  UNKNOWN: 0,
  API_UNAVAILABLE: 1,
  INVALID_PARAMS: 2,
  SIZE_LIMIT_EXCEEDED: 3,
} as const;
type ErrorType = (typeof SdkErrorType)[keyof typeof SdkErrorType];

export class SdkError extends Error {
  readonly errorType: ErrorType;
  constructor(errorType: ErrorType, message: string) {
    super(message);
    this.name = 'SdkError';
    this.errorType = errorType;
  }
}

const typesByCode: Readonly<Record<string, ErrorType>> = {
  too_large: SdkErrorType.SIZE_LIMIT_EXCEEDED,
  invalid: SdkErrorType.INVALID_PARAMS,
  offline: SdkErrorType.API_UNAVAILABLE,
  timeout: SdkErrorType.API_UNAVAILABLE,
  rate_limited: SdkErrorType.API_UNAVAILABLE,
};

/** Returns this SDK's error for an error of the module. */
export function asSdkError(error: unknown): SdkError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new SdkError(
    typesByCode[code] ?? SdkErrorType.UNKNOWN,
    error instanceof Error ? error.message : String(error),
  );
}
