/** What calls of this SDK fail with. A plain object: games write it as JSON, where an Error would be empty. */
export interface SdkError {
  readonly code: string;
  readonly message: string;
}

export function sdkError(code: string, message: string): SdkError {
  return { code, message };
}

/** No advertisement is ever there. */
export const unfilled = sdkError('unfilled', 'There are no advertisements here.');
