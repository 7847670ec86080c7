/**
 * The error of this SDK's calls. It is a plain object, because games print it as JSON, where an Error would
 * be empty.
 */
export interface SdkError {
  readonly code: string;
  readonly message: string;
}

export function sdkError(code: string, message: string): SdkError {
  return { code, message };
}

/** The error for every request for an advertisement. */
export const unfilled = sdkError('unfilled', 'There are no advertisements here.');
