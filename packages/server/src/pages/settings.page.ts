import { createToken } from '@spaceport/contract/account-access';
import type { Accounts } from '../accounts/accounts.ts';
import type { OwnTokens } from '../accounts/own-tokens.ts';
import { toOwnAccount, toOwnPasskey, toOwnSession, toOwnToken } from '../accounts/own-view.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import { parseName } from '../accounts/person-name.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { Tokens } from '../accounts/tokens.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Urls } from '../platform/urls.ts';
import { emptyForm, type FormState } from './forms.ts';
import { type PageAnswer, type PageRequest, type PageScope, signInFirst, visitOf } from './page-scope.ts';
import { chosenScopes } from './scope-choice.ts';
import { doneTexts, type SettingsForms, settingsPage } from './settings.view.ts';
import { shownAgain } from './shown-again.ts';

export interface SettingsServices {
  readonly accounts: Accounts;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly tokens: Tokens;
  readonly ownTokens: OwnTokens;
}

type SignedIn = PageRequest & { readonly session: NonNullable<PageRequest['session']> };

/** /settings: who one is, how one signs in, and what may act in one's name. */
export function mountSettings(
  scope: PageScope,
  urls: Pick<Urls, 'creator'>,
  { accounts, passkeys, sessions, signIn, tokens, ownTokens }: SettingsServices,
): void {
  /** The page, for any state of its forms. */
  const load = async ({ session, query }: SignedIn) => {
    const { id } = session.creator;
    const [listed, ownPasskeys, spaces] = await Promise.all([
      tokens.list(id),
      passkeys.list(id),
      ownTokens.spacesOf(id),
    ]);
    const choice = { spaces: spaces.map(({ slug, title }) => ({ slug, title })), maxDays: ownTokens.maxDays };
    const done = doneTexts.get(query.done ?? '') ?? null;
    const own = { tokens: listed, choice, passkeys: ownPasskeys, done };
    const show = (forms: Partial<SettingsForms> = {}, made: string | null = null) =>
      settingsPage({
        session,
        passkeys: ownPasskeys,
        done,
        tokens: { tokens: listed, choice, made },
        forms: { name: emptyForm, email: emptyForm, password: emptyForm, token: emptyForm, ...forms },
      });
    return { own, show, showToken: (form: FormState) => show({ token: form }) };
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
        tokenChoice: own.choice,
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

  scope.post(
    '/settings/tokens',
    signedIn(async (page) => {
      const { name = '', space = '', days = '' } = page.form;
      const { creator } = page.session;
      return shownAgain(
        async () => {
          const wish = createToken.body.safeParse({
            name,
            scopes: chosenScopes(page.form),
            space: space === '' ? null : space,
            days: Number(days),
          });
          if (!wish.success) {
            throw new ServiceError(
              'invalid',
              'Give it a name, tick at least one thing that it may do, and choose when it ends.',
            );
          }
          const { token } = await ownTokens.make(creator, {
            ...wish.data,
            space: wish.data.space ?? null,
            days: wish.data.days ?? null,
          });
          const { show } = await load(page);
          return show({}, token);
        },
        { values: { name }, fields: [] },
        (await load(page)).showToken,
      );
    }),
  );

  scope.post(
    '/settings/tokens/narrow',
    signedIn(async (page) => {
      const { id = '', space = '' } = page.form;
      const scopes = chosenScopes(page.form);
      const { showToken } = await load(page);
      return shownAgain(
        async () => {
          if (scopes.length === 0)
            throw new ServiceError('invalid', 'To take everything away, revoke the token.');
          await ownTokens.narrow(page.session.creator.id, id, {
            scopes,
            ...(space === '' ? {} : { space }),
          });
          return { redirect: '/settings?done=narrowed' };
        },
        { values: {}, fields: [] },
        showToken,
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
