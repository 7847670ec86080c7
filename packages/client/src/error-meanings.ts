import { errorTable, isErrorCode } from '@spaceport/contract/errors';

/** Returns the meaning of a code of the contract's error table; for another code, the code. */
export function meaningOf(code: string): string {
  return isErrorCode(code) ? errorTable[code].meaning : code;
}
