import { neutralPicture } from '../../picture.ts';
import type { ShimHost } from '../../shim-host.ts';
import { numberOf } from '../number-of.ts';
import type { Endpoint, Fields } from './endpoints.ts';
import { Failure, failures } from './failure.ts';

/**
 * The only user that a page knows: the signed-in player. The user's token is ignored, because the page knows
 * the player.
 */
export function createUsers({ spaceport }: ShimHost) {
  const user = () => {
    const { id, handle, guest } = spaceport.player.get();
    return guest || handle === null ? null : { id: numberOf(id), name: handle };
  };
  const isCalled = (name: string, given: string | null) => given?.toLowerCase() === name.toLowerCase();
  function mustBe(fields: Fields) {
    const found = user();
    if (!found || !isCalled(found.name, fields.get('username'))) throw new Failure(failures.user);
    return found;
  }
  let isOpen = false;
  const mustBeOpen = (fields: Fields) => {
    mustBe(fields);
    if (!isOpen) throw new Failure('Could not find an open session. You must open a new one.');
    return {};
  };

  const endpoints: Readonly<Record<string, Endpoint>> = {
    users(fields) {
      const [name, ids] = [fields.get('username'), fields.get('user_id')];
      if (!name && !ids) throw new Failure('You must enter in a user ID or username.');
      const found = user();
      const isMeant =
        found && (isCalled(found.name, name) || (ids ?? '').split(',').includes(String(found.id)));
      if (!isMeant) throw new Failure('No such user could be found.');
      return { users: [described(found)] };
    },
    'users/auth'(fields) {
      mustBe(fields);
      return {};
    },
    friends(fields) {
      mustBe(fields);
      return { friends: [] };
    },
    'sessions/open'(fields) {
      mustBe(fields);
      isOpen = true;
      return {};
    },
    'sessions/ping': mustBeOpen,
    'sessions/check'(fields) {
      mustBe(fields);
      return { success: isOpen };
    },
    'sessions/close'(fields) {
      mustBeOpen(fields);
      isOpen = false;
      return {};
    },
  };
  return { user, mustBe, endpoints };
}
export type Users = ReturnType<typeof createUsers>;

function described({ id, name }: { readonly id: number; readonly name: string }) {
  return {
    id,
    type: 'User',
    username: name,
    avatar_url: neutralPicture,
    signed_up: '',
    signed_up_timestamp: '',
    last_logged_in: 'Online Now',
    last_logged_in_timestamp: Math.floor(Date.now() / 1_000),
    status: 'Active',
    developer_name: name,
    developer_website: '',
    developer_description: '',
  };
}
