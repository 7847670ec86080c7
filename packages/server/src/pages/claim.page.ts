import type { ClaimedSpace, ShownForm } from '@spaceport/contract/first-data';
import { creatorCaller } from '../accounts/authenticate.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { secretInText, secretKind } from '../platform/secrets/secret.ts';
import { claimPage } from '../unlisted/claim-page.ts';
import { type PageDocument, type PageScope, signInFirst } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/**
 * /claim: an account takes over a page that was published without one. The token is in the address's
 * fragment, which browsers never send and no log has. The page's script reads it there; without script the
 * person pastes it.
 */
export function mountClaim(scope: PageScope, platform: Platform): void {
  scope.get('/claim', async () => claimDocument(emptyForm));

  scope.post('/claim', async (page) => {
    if (!page.session) return signInFirst(page);
    const { creator } = page.session;
    const caller = creatorCaller(creator, { claim: null });
    const { token = '' } = page.form;
    return shownAgain(
      async () => {
        const claim = tokenIn(token);
        if (claim === undefined) throw new ServiceError('claim_not_found', 'This is not a claim token.');
        const space = await claimPage(platform, caller, claim);
        const { slug, title } = space;
        return claimDocument(emptyForm, { slug, title, service_url: platform.urls.page(slug) });
      },
      { values: { token }, fields: ['token'] },
      (form) => claimDocument(form),
    );
  });
}

/** Returns the claim token in a pasted text: the token alone, or the whole link. */
function tokenIn(pasted: string): string | undefined {
  return pasted.match(secretInText)?.find((one) => secretKind(one) === 'claim');
}

function claimDocument(form: ShownForm, claimed: ClaimedSpace | null = null): PageDocument {
  return {
    title: claimed === null ? 'Claim a page' : 'Claimed',
    client: { page: 'claim', data: { form, claimed } },
  };
}
