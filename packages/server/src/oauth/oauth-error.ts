import type { OAuthErrorCode } from '@spaceport/contract/oauth';

/** A refusal as the RFCs of OAuth spell it; routes.ts alone sends it. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
  }
}
