import { oauthPaths } from '@spaceport/contract/oauth';
import type { Asked, Authorizations } from '../oauth/authorization.ts';
import { describeRedirect, formActionOf } from '../oauth/redirect-uri.ts';
import { chosenScopes } from './chosen-scopes.ts';
import { type PageDocument, type PageRequest, type PageScope, signInFirst } from './page-scope.ts';

/**
 * /oauth/authorize: a program sends a person here, who lets it in or not and is sent back. What it asks for is in the
 * address, also of the form, and is looked at both times.
 */
export function mountAuthorize(
  scope: PageScope,
  { authorizations }: { authorizations: Authorizations },
): void {
  scope.get(oauthPaths.authorize, async (page) => {
    if (!page.session) return signInFirst(page);
    const asked = await authorizations.read(page.query, page.session);
    return 'redirect' in asked ? asked : authorizePage(page, asked, null);
  });

  scope.post(oauthPaths.authorize, async (page) => {
    // Signed out meanwhile: the address has everything that was asked for.
    if (!page.session) return { redirect: page.request.url };
    const asked = await authorizations.read(page.query, page.session);
    if ('redirect' in asked) return asked;
    if (page.form.decision !== 'approve')
      return { redirect: await authorizations.decide(asked, page.session, null) };
    const given = chosenScopes(page.form);
    if (given.length === 0) return authorizePage(page, asked, 'Tick at least one, or refuse it.');
    return { redirect: await authorizations.decide(asked, page.session, given) };
  });
}

function authorizePage({ request }: PageRequest, asked: Asked, problem: string | null): PageDocument {
  const { client, redirectUri, scopes } = asked;
  return {
    title: 'Let it in?',
    ...(problem !== null && { status: 422 }),
    formLeadsTo: formActionOf(redirectUri),
    client: {
      page: 'authorize',
      data: {
        clientName: client.name,
        clientSite: client.site,
        leadsTo: describeRedirect(redirectUri),
        scopes,
        action: request.url,
        problem,
      },
    },
  };
}
