import type { Accounts } from '../accounts/accounts.ts';
import { toOwnAccount, toOwnPasskey, toOwnSession, toOwnToken } from '../accounts/own-view.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import { parseName } from '../accounts/person-name.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Urls } from '../platform/urls.ts';
import { emptyForm } from './forms.ts';
import { type PageAnswer, type PageRequest, type PageScope, signInFirst, visitOf } from './page-scope.ts';
import { doneTexts, type SettingsForms, settingsPage } from './settings.view.ts';
import { shownAgain } from './shown-again.ts';

export interface SettingsServices {
  readonly accounts: Accounts;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly tokens: Tokens;
}

type SignedIn = PageRequest & { readonly session: NonNullable<PageRequest['session']> };

/** /settings: who one is, how one signs in, and what may act in one's name. */
export function mountSettings(
  scope: PageScope,
  urls: Pick<Urls, 'creator'>,
  { accounts, passkeys, sessions, signIn, tokens }: SettingsServices,
): void {
  /** The page, for any state of its forms. */
  const load = async ({ session, query }: SignedIn) => {
    const { id } = session.creator;
    const [ownTokens, ownPasskeys] = await Promise.all([tokens.list(id), passkeys.list(id)]);
    const done = doneTexts.get(query.done ?? '') ?? null;
    const own = { tokens: ownTokens, passkeys: ownPasskeys, done };
    const show = (forms: Partial<SettingsForms> = {}) =>
      settingsPage({
        session,
        ...own,
        forms: { name: emptyForm, email: emptyForm, password: emptyForm, ...forms },
      });
    return { own, show };
  };

  const signedIn = (handle: (page: SignedIn) => Promise<PageAnswer>) => async (page: PageRequest) =>
    page.session ? handle({ ...page, session: page.session }) : signInFirst(page);

  /** What a section's form asks for, then the page again. */
  const post = (path: string, done: string, work: (page: SignedIn) => Promise<unknown>) =>
    scope.post(
      path,
      signedIn(async (page) => {
        await work(page);
        return { redirect: `/settings?done=${done}` };
      }),
    );

  scope.get(
    '/settings',
    signedIn(async (page) => {
      const { id, creator } = page.session;
      const [{ show, own }, ownSessions] = await Promise.all([load(page), sessions.list(creator.id)]);
      const data = {
        account: toOwnAccount(urls, page.session),
        tokens: own.tokens.map(toOwnToken),
        passkeys: own.passkeys.map(toOwnPasskey),
        sessions: ownSessions.map((session) => toOwnSession(session, id)),
        done: own.done,
      };
      return { ...show(), client: { page: 'settings', data } };
    }),
  );

  scope.post(
    '/settings/name',
    signedIn(async (page) => {
      const { name = '' } = page.form;
      const { show } = await load(page);
      return shownAgain(
        async () => {
          await accounts.rename(page.session.creator.id, parseName(name));
          return { redirect: '/settings?done=saved' };
        },
        { values: { name }, fields: ['name'] },
        (form) => show({ name: form }),
      );
    }),
  );

  scope.post(
    '/settings/email',
    signedIn(async (page) => {
      const { email = '', password = '' } = page.form;
      const { show } = await load(page);
      return shownAgain(
        async () => {
          await signIn.changeEmail(page.session, { email, password }, visitOf(page.request));
          return { redirect: '/settings?done=address' };
        },
        { values: { email }, fields: ['email', 'password'] },
        (form) => show({ email: form }),
      );
    }),
  );

  scope.post(
    '/settings/password',
    signedIn(async (page) => {
      const { current = '', password = '' } = page.form;
      const { show } = await load(page);
      return shownAgain(
        async () => {
          const change = { current, next: password };
          const cookies = await signIn.changePassword(page.session, change, visitOf(page.request));
          return { redirect: '/settings?done=password', cookies };
        },
        { values: {}, fields: ['current', 'password'] },
        (form) => show({ password: form }),
      );
    }),
  );

  post('/settings/tokens/revoke', 'revoked', ({ session, form }) =>
    tokens.revoke(session.creator.id, form.id ?? ''),
  );
  post('/settings/passkeys/remove', 'removed', ({ session, form }) =>
    passkeys.remove(session.creator.id, form.id ?? ''),
  );
  post('/settings/sessions/end', 'ended', ({ session }) => sessions.endOthers(session));
}
