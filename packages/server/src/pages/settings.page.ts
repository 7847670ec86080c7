import type { RefusedSetting, SettingsData } from '@spaceport/contract/first-data';
import { settingsDone } from '@spaceport/contract/settings-done';
import type { Accounts } from '../accounts/accounts.ts';
import { invalidField } from '../accounts/credentials.ts';
import type { OwnTokens } from '../accounts/own-tokens.ts';
import { toOwnAccount, toOwnPasskey, toOwnSession, toOwnToken } from '../accounts/own-view.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import { parseName } from '../accounts/person-name.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { Tokens } from '../accounts/tokens.ts';
import { deleteAccount } from '../deleting/delete-account.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { chosenScopes } from './chosen-scopes.ts';
import { type PageAnswer, type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';
import { type SignedIn, signedIn } from './signed-in.ts';
import { readTokenWish } from './token-wish.ts';

export interface SettingsServices {
  readonly accounts: Accounts;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly tokens: Tokens;
  readonly ownTokens: OwnTokens;
}

/** How many tokens and browsers the page shows at first. */
const shownAtOnce = 24;

/** One form of the page. */
interface SettingForm {
  readonly setting: RefusedSetting['setting'];
  /** Fields whose values are shown again after a refusal. */
  readonly kept?: readonly string[];
  /** Fields that can have a problem beside them. */
  readonly fields?: readonly string[];
  readonly work: (page: SignedIn) => Promise<PageAnswer>;
}

/** The message after each form, by the name in the address that the form redirects to. */
const doneTexts: ReadonlyMap<string, string> = new Map(Object.entries(settingsDone));

/** /settings: the account's profile, its ways to sign in, and its tokens, passkeys and sessions. */
export function mountSettings(
  scope: PageScope,
  platform: Platform,
  { accounts, passkeys, sessions, signIn, tokens, ownTokens }: SettingsServices,
): void {
  const load = async ({ session, query }: SignedIn): Promise<SettingsData> => {
    const { id } = session.creator;
    // A form without script names the page that it is on, too.
    const [tokensAt, sessionsAt] = [query.tokens, query.sessions];
    const [ownTokenPage, ownPasskeys, ownSessions] = await Promise.all([
      tokens.listPage(id, { cursor: tokensAt, limit: shownAtOnce }),
      passkeys.list(id),
      sessions.list(session, { cursor: sessionsAt, limit: shownAtOnce }),
    ]);
    // Without script, each token has a form of its own, and so has a new one.
    const spaces = await ownTokens.spacesOf(id, ownTokenPage.page.length + 1);
    return {
      account: toOwnAccount(platform.urls, session),
      tokens: {
        items: ownTokenPage.page.map(toOwnToken),
        next: ownTokenPage.next,
        at: tokensAt ?? null,
      },
      tokenChoice: { spaces, maxDays: ownTokens.maxDays },
      passkeys: ownPasskeys.map(toOwnPasskey),
      sessions: {
        items: ownSessions.page.map((one) => toOwnSession(one, session.id)),
        next: ownSessions.next,
        at: sessionsAt ?? null,
      },
      done: doneTexts.get(query.done ?? '') ?? null,
      refused: null,
      madeToken: null,
    };
  };

  const form = (path: string, { setting, kept = [], fields = [], work }: SettingForm) =>
    scope.post(
      path,
      signedIn(async (page) => {
        const values = Object.fromEntries(kept.map((name) => [name, page.form[name] ?? '']));
        // The page's data is loaded first, so that a refusal can be shown at once.
        const data = await load(page);
        return shownAgain(
          () => work(page),
          { values, fields },
          (shown) => settingsPage({ ...data, refused: { setting, id: page.form.id ?? null, form: shown } }),
        );
      }),
    );

  /** Mounts a button: it does its work, and then shows the page again. */
  const press = (path: string, done: keyof typeof settingsDone, work: (page: SignedIn) => Promise<unknown>) =>
    scope.post(
      path,
      signedIn(async (page) => {
        await work(page);
        return backTo(done);
      }),
    );

  scope.get(
    '/settings',
    signedIn(async (page) => settingsPage(await load(page))),
  );

  form('/settings/name', {
    setting: 'name',
    kept: ['name'],
    fields: ['name'],
    work: async ({ session, form: { name = '' } }) => {
      await accounts.rename(session.creator.id, parseName(name));
      return backTo('saved');
    },
  });

  form('/settings/email', {
    setting: 'email',
    kept: ['email'],
    fields: ['email', 'password'],
    work: async ({ session, request, form: { email = '', password = '' } }) => {
      await signIn.changeEmail(session, { email, password }, visitOf(request));
      return backTo('address');
    },
  });

  form('/settings/password', {
    setting: 'password',
    fields: ['current', 'password'],
    work: async ({ session, request, form: { current = '', password = '' } }) => {
      const cookies = await signIn.changePassword(session, { current, next: password }, visitOf(request));
      return { ...backTo('password'), cookies };
    },
  });

  form('/settings/tokens', {
    setting: 'make-token',
    kept: ['name'],
    fields: ['name', 'scopes'],
    work: async (page) => {
      const { token } = await ownTokens.make(page.session, readTokenWish(page.form));
      return settingsPage({ ...(await load(page)), madeToken: token });
    },
  });

  form('/settings/tokens/narrow', {
    setting: 'narrow-token',
    work: async ({ session, form: sent }) => {
      const { id = '' } = sent;
      const space = (sent.space ?? '').trim();
      const scopes = chosenScopes(sent);
      if (scopes.length === 0)
        throw new ServiceError('invalid', 'To take everything away, revoke the token.');
      await ownTokens.narrow(session.creator.id, givenId('tok', id), {
        scopes,
        ...(space !== '' && { space }),
      });
      return backTo('narrowed');
    },
  });

  form('/settings/delete', {
    setting: 'delete',
    kept: ['typed'],
    fields: ['typed', 'password'],
    work: async ({ session, request, form: { typed = '', password = '' } }) => {
      const name = session.creator.handle ?? session.email;
      if (typed.trim().replace(/^@/u, '') !== name) throw invalidField('typed', `must be ${name}`);
      // An empty password means that the person has just signed in with a passkey.
      await signIn.proveOwner(session, password === '' ? undefined : password, visitOf(request));
      await deleteAccount(platform, session);
      return { redirect: '/', cookies: [sessions.expiredCookie] };
    },
  });

  press('/settings/tokens/revoke', 'revoked', ({ session, form: { id = '' } }) =>
    tokens.revoke(session.creator.id, givenId('tok', id)),
  );
  press('/settings/passkeys/remove', 'removed', ({ session, form: { id = '' } }) =>
    passkeys.remove(session.creator.id, givenId('psk', id)),
  );
  press('/settings/sessions/end', 'ended', ({ session }) => sessions.endOthers(session));
}

function settingsPage(data: SettingsData): PageDocument {
  return { title: 'Settings', client: { page: 'settings', data } };
}

function backTo(done: keyof typeof settingsDone) {
  return { redirect: `/settings?done=${done}` };
}
