import type { NamedLink } from '@spaceport/contract/named-link';

/**
 * Returns the sentence about what to do if the operators were mistaken.
 * @param contact how they are reached: the setting CONTACT
 */
export function askOperators(contact: NamedLink | null): string {
  if (contact === null) return 'If you think that this is a mistake, contact the operators of the service.';
  return `If you think that this is a mistake, tell the operators of the service: ${contact.label}`;
}

/** Returns the address to which people answer mails; null if they reach the operators in another way. */
export function mailAddressOf(contact: NamedLink | null): string | null {
  return contact?.href.startsWith('mailto:') ? contact.label : null;
}
