import type { AuthorizeData } from '@spaceport/contract/first-data';
import { oauthPaths } from '@spaceport/contract/oauth';
import { noScopeChosen } from '@spaceport/contract/scopes';
import type { OwnTokens } from '../accounts/own-tokens.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { Asked, Authorizations } from '../oauth/authorization.ts';
import { describeRedirect, formActionOf } from '../oauth/redirect-uri.ts';
import { ServiceError } from '../platform/errors.ts';
import { chosenScopes } from './chosen-scopes.ts';
import { type PageDocument, type PageRequest, type PageScope, signInFirst } from './page-scope.ts';

export interface AuthorizeServices {
  readonly authorizations: Authorizations;
  readonly ownTokens: Pick<OwnTokens, 'spacesOf'>;
}

/**
 * /oauth/authorize: a program sends a person here, who approves or refuses it and is sent back. The request's
 * parameters are in the address, also in the form's address, and are validated both times.
 */
export function mountAuthorize(scope: PageScope, { authorizations, ownTokens }: AuthorizeServices): void {
  const show = async (
    { request, form }: PageRequest,
    asked: Asked,
    { creator }: Session,
    problem: string | null,
  ) => {
    return authorizePage(asked, {
      spaces: await ownTokens.spacesOf(creator.id, 1),
      space: form.space ?? '',
      action: request.url,
      problem,
    });
  };

  scope.get(oauthPaths.authorize, async (page) => {
    if (!page.session) return signInFirst(page);
    const asked = await authorizations.read(page.query, page.session);
    return 'redirect' in asked ? asked : show(page, asked, page.session, null);
  });

  scope.post(oauthPaths.authorize, async (page) => {
    const { session, form } = page;
    // The person was signed out meanwhile. The address still has the whole request.
    if (!session) return { redirect: page.request.url };
    const asked = await authorizations.read(page.query, session);
    if ('redirect' in asked) return asked;
    if (form.decision !== 'approve') return { redirect: await authorizations.decide(asked, session, null) };
    const space = (form.space ?? '').trim();
    const scopes = chosenScopes(form);
    if (scopes.length === 0) return show(page, asked, session, noScopeChosen);
    if (scopes.includes('operate') && space !== '')
      return show(
        page,
        asked,
        session,
        'To operate the service it needs all your spaces: choose them, or untick that.',
      );
    const given = { scopes, space: space === '' ? null : space };
    try {
      return { redirect: await authorizations.decide(asked, session, given) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
      // Whoever has many spaces types the name of one.
      return show(page, asked, session, error.message);
    }
  });
}

function authorizePage(
  { client, redirectUri, scopes }: Asked,
  shown: Pick<AuthorizeData, 'spaces' | 'space' | 'action' | 'problem'>,
): PageDocument {
  return {
    title: 'Let it in?',
    ...(shown.problem !== null && { status: 422 }),
    formLeadsTo: formActionOf(redirectUri),
    client: {
      page: 'authorize',
      data: {
        clientName: client.name,
        clientSite: client.site,
        leadsTo: describeRedirect(redirectUri),
        scopes,
        ...shown,
      },
    },
  };
}
