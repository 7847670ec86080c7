import { ServiceError } from '../platform/errors.ts';

const handlePattern = /^[a-z][a-z0-9_]{2,23}$/u;

/** Names that could be mistaken for the service itself, or that programs treat specially. */
const reserved = new Set(
  `about abuse account accounts admin administrator admins all anonymous api app assets auth billing blog bot bots
  contact creator creators dashboard deleted dev developer docs everybody everyone guest guests help here home host
  hosting info legal login logout mail me mod moderation moderator moderators mods nobody null official operator
  operators owner play player players postmaster preview privacy root security service settings sign_in sign_up
  signin signup spaceport spaceport_team staff status support sysadmin system team temp terms test true false
  undefined unknown unlisted user users webmaster www you`.split(/\s+/u),
);

/**
 * Returns a handle as it is stored: lower case, without a leading @.
 * @throws `invalid` for one that is not 3 to 24 of a-z, 0-9 and _ or, unless `mayReserved`, is a reserved word
 */
export function parseHandle(typed: string, { mayReserved = false } = {}): string {
  const handle = typed.trim().replace(/^@/u, '').toLowerCase();
  if (!handlePattern.test(handle)) {
    throw invalidHandle('must be 3 to 24 of a-z, 0-9 and _, starting with a letter');
  }
  if (!mayReserved && reserved.has(handle)) throw invalidHandle('is a reserved word');
  return handle;
}

export function invalidHandle(message: string): ServiceError {
  return new ServiceError('invalid', `The handle ${message}.`, { issues: [{ path: 'handle', message }] });
}
