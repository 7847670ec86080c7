import type { Creator } from '../accounts/accounts.ts';
import { creatorCaller } from '../accounts/authenticate.ts';
import { ServiceError } from '../platform/errors.ts';
import { secretInText, secretKind } from '../platform/secrets/secret.ts';
import type { Urls } from '../platform/urls.ts';
import type { UnlistedPages } from '../unlisted/unlisted-pages.ts';
import { emptyForm, type FormState, field, formProblem } from './forms.ts';
import { html } from './html.ts';
import { type PageDocument, type PageScope, signInFirst } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';

/**
 * /claim: an account takes over a page that was published without one. The token stands in the address's fragment, which
 * no browser sends and no log holds; the page's script reads it there, and without script it is pasted.
 */
export function mountClaim(scope: PageScope, { pages, urls }: { pages: UnlistedPages; urls: Urls }): void {
  scope.get('/claim', async ({ session }) => ({
    ...claimPage(emptyForm, session?.creator ?? null),
    client: { page: 'claim', data: null },
  }));

  scope.post('/claim', async (page) => {
    if (!page.session) return signInFirst(page);
    const { creator } = page.session;
    const caller = creatorCaller(creator, { claim: null });
    const { token = '' } = page.form;
    return shownAgain(
      async () => {
        const claim = tokenIn(token);
        if (claim === undefined) throw new ServiceError('claim_not_found', 'That is not a claim token.');
        const space = await pages.claim(caller, claim);
        return claimedPage(space.title, space.slug, urls.page(space.slug));
      },
      { values: { token }, fields: ['token'] },
      (form) => claimPage(form, creator),
    );
  });
}

/** The claim token in what was pasted: it alone, or the whole link that carries it. */
function tokenIn(pasted: string): string | undefined {
  return pasted.match(secretInText)?.find((one) => secretKind(one) === 'claim');
}

function claimPage(form: FormState, creator: Creator | null): PageDocument {
  const how = creator
    ? html`<button class="whole" type="submit">Claim the page</button>`
    : html`<p>Sign in first; the page is claimed for that account.</p>
<p><a class="button whole" href="/sign-in?next=/claim">Sign in</a></p>
<p class="quiet">No account yet? <a href="/sign-up?next=/claim">Sign up</a></p>`;
  return {
    title: 'Claim a page',
    body: html`<h1>Claim a page</h1>
<form class="card" method="post" action="/claim">
${formProblem(form)}
<p>A page published without an account lasts a week. Claimed, it is yours and stays.</p>
${field(form, {
  name: 'token',
  label: 'Claim token',
  autocomplete: 'off',
  maxLength: 400,
  hint: 'It starts with sp_claim_ and came with the page. The whole link will do.',
})}
${how}
</form>
${creator?.handle === null && html`<p class="below">You have no handle yet: <a href="/handle?next=/claim">choose one</a> before you claim.</p>`}`,
  };
}

function claimedPage(title: string, slug: string, address: string): PageDocument {
  return {
    title: 'Claimed',
    body: html`<h1>It is yours</h1>
<div class="card"><p role="status"><strong>${title}</strong> is now in your account, with its versions.</p>
<p><a class="button whole" href="/dashboard/${slug}">Manage it</a></p>
<p><a href="${address}">Go to its page</a></p>
<p class="quiet">To show it to everyone, publish the folder again with <code>spaceport publish --live</code>: nothing is sent twice.</p></div>`,
  };
}
