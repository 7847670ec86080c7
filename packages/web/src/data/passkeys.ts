import { ApiError, ConnectionError, readApiError } from '@spaceport/client/api-error';
import { useSyncExternalStore } from 'preact/compat';
import { describeError } from '../ui/describe-error.ts';
import { requireCookies } from './require-cookies.ts';

const routes = '/api/auth/passkey';

/** Returns whether this browser supports passkeys on this connection. */
export function canUsePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

const never = () => () => {};

/** The same as a hook. The server assumes that the browser supports passkeys, as nearly all do. */
export function useCanUsePasskeys(): boolean {
  return useSyncExternalStore(never, canUsePasskeys, () => true);
}

/**
 * Makes a passkey for the signed-in account.
 * @throws the error of the browser or the service
 */
export async function makePasskey(name: string): Promise<void> {
  // The service makes the options in the form that this call reads.
  const options = (await begin('generate-register-options')) as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey });
  await call('verify-registration', { response: toJson(made), name });
}

/**
 * Asks for a passkey and signs in with it.
 * @throws like `makePasskey`
 */
export async function signInByPasskey(): Promise<void> {
  requireCookies();
  await verify(await navigator.credentials.get({ publicKey: await requestOptions() }));
}

/**
 * Offers passkeys in the browser's autofill of a field with `autocomplete="… webauthn"`, until `signal` is
 * aborted. Returns whether one was used.
 * @throws an error if one was used and refused
 */
export async function offerPasskeys(signal: AbortSignal): Promise<boolean> {
  const used = await chosenFromAutofill(signal).catch(() => null);
  if (used === null || signal.aborted) return false;
  await verify(used);
  return true;
}

async function chosenFromAutofill(signal: AbortSignal): Promise<Credential | null> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  const publicKey = await requestOptions();
  return signal.aborted ? null : navigator.credentials.get({ publicKey, mediation: 'conditional', signal });
}

async function requestOptions(): Promise<PublicKeyCredentialRequestOptions> {
  // As above.
  const options = (await begin('generate-authenticate-options')) as PublicKeyCredentialRequestOptionsJSON;
  return PublicKeyCredential.parseRequestOptionsFromJSON(options);
}

async function verify(used: Credential | null): Promise<void> {
  await call('verify-authentication', { response: toJson(used) });
}

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('The browser gave no passkey.', 'NotAllowedError');
}

/**
 * Asks for options. One tab at a time: the first answer gives the browser a cookie, which the next request has
 * to send. Browsers that have passkeys have locks.
 */
function begin(path: string): Promise<unknown> {
  return navigator.locks.request('spaceport-passkey', () => call(path));
}

/**
 * Calls a route for passkeys. These routes are not operations of the contract.
 * @throws the same errors as our client
 */
async function call(path: string, body?: unknown): Promise<unknown> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${routes}/${path}`, init).catch((error: unknown) => {
    throw new ConnectionError(location.origin, error);
  });
  const text = await answer.text();
  if (!answer.ok)
    throw readApiError({ status: answer.status, header: (name) => answer.headers.get(name), text });
  return JSON.parse(text);
}

/**
 * Returns why no passkey was made or used, and what to do next. Browsers' own messages are short and differ.
 */
export function explainPasskey(error: unknown): string {
  if (error instanceof DOMException) {
    if (error.name === 'InvalidStateError') return 'This device has a passkey for your account already.';
    if (error.name === 'NotAllowedError') return 'No passkey was used. Try again when you are ready.';
    return 'Your browser could not use a passkey here. Use your password.';
  }
  if (error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'not_found'))
    return 'No account has this passkey: it may have been removed. Sign in with your password.';
  return describeError(error).text;
}
