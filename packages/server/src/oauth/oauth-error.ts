import type { OAuthErrorCode } from '@spaceport/contract/oauth';

/** A refusal in the form of the OAuth RFCs. Only oauth.routes.ts sends it. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
  }
}
