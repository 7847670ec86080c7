import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Returns the known transports of a passkey. Newer ones are left out, since transports are only a hint. */
export function knownTransports(names: readonly string[]): AuthenticatorTransportFuture[] {
  return transports.filter((known) => names.includes(known));
}

/** The parts of `PublicKeyCredential.toJSON()` that the ceremonies read. */
const credential = {
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  /** The service requests no extensions. */
  clientExtensionResults: z.object({}).default({}),
};

/** A passkey that a browser made. */
export const madePasskey = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: z.string(),
      attestationObject: z.string(),
      transports: z.array(z.string()).default([]).transform(knownTransports),
    }),
  }) satisfies z.ZodType<RegistrationResponseJSON>,
  name: z.string().trim().min(1).max(60).optional(),
});
export type MadePasskey = z.output<typeof madePasskey>;

/** A browser's answer to a challenge. */
export const usedPasskey = z.object({
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
  }) satisfies z.ZodType<AuthenticationResponseJSON>,
});
export type UsedPasskey = z.output<typeof usedPasskey>;
