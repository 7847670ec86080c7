import { count, optional, text } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The settings of signing up and signing in. */
export const accountSettings = {
  SIGN_UP_CODE: setting(
    optional(text),
    '',
    'Invitation code that whoever signs up has to give; `BASE_URL/sign-up?code=CODE` fills it in. Empty: anybody may sign up.',
    { secret: true },
  ),
  SIGN_IN_TRIES: setting(
    count(1),
    '10',
    'Tries to sign in with one e-mail address from one place in 15 minutes; ten times as many with one from all places, and from one place with all.',
  ),
  SIGN_UPS_PER_HOUR: setting(count(0), '20', 'Accounts one address may make in an hour.'),
  DEVICE_LOGINS_PER_HOUR: setting(
    count(1),
    '300',
    'Device sign-ins one address may start in an hour, and programs it may register for OAuth.',
  ),
  MAILS_PER_HOUR: setting(
    count(1),
    '5',
    'Mails with links that are sent to one e-mail address in an hour; ten times as many that one place may ask for.',
  ),
} as const;
