import type { DeviceData } from '@spaceport/contract/first-data';
import { invalidField } from '../accounts/credentials.ts';
import type { Approvals } from '../accounts/device/approvals.ts';
import { toFoundDevice } from '../accounts/own-view.ts';
import { chosenScopes } from './chosen-scopes.ts';
import { pathWith } from './next-path.ts';
import { type PageDocument, type PageRequest, type PageScope, signInFirst } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/** /device: a creator types a device's code, sees what asks, and says yes or no (RFC 8628 §3.3, §5.4). */
export function mountDevice(scope: PageScope, { approvals }: { approvals: Approvals }): void {
  scope.get('/device', async (page) => {
    const { session, request } = page;
    if (!session) return signInFirst(page);
    const { user_code: code } = page.query;
    if (code === undefined) return devicePage({});
    return shownAgain(
      async () => devicePage({ asked: toFoundDevice(await approvals.open(session, code), request.address) }),
      { values: { user_code: code }, fields: [] },
      (form) => devicePage({ form }),
    );
  });

  scope.post('/device', async (page) => {
    const { user_code: code = '' } = page.form;
    // The person was signed out meanwhile. The code stays in the address.
    if (!page.session) return { redirect: pathWith('/sign-in', { next: pathOf(code) }) };
    const { session } = page;
    const sent = { values: { user_code: code }, fields: ['scopes'] };
    return shownAgain(
      async () => {
        const approve = page.form.decision === 'approve';
        const given = givenScopes(page);
        if (approve && given?.length === 0) {
          const asked = toFoundDevice(await approvals.find(session, code), page.request.address);
          return shownAgain(nothingTicked, sent, (form) => devicePage({ asked, form }));
        }
        const { clientName } = await approvals.decide(session, code, { approve, scopes: given });
        return devicePage({ decided: { clientName, decision: approve ? 'approve' : 'deny' } });
      },
      sent,
      (form) => devicePage({ form }),
    );
  });
}

/** Returns the ticked scopes; undefined for a form without boxes. */
function givenScopes({ form }: PageRequest) {
  return form.offered === undefined ? undefined : chosenScopes(form);
}

async function nothingTicked(): Promise<never> {
  throw invalidField('scopes', 'must name at least one scope');
}

/** Returns the path of this page with a code, to come back to. */
function pathOf(code: string): string {
  return pathWith('/device', { user_code: code });
}

const titles = { approve: 'Signed in', deny: 'Refused' };

function devicePage(state: Partial<DeviceData>): PageDocument {
  const data = { form: emptyForm, asked: null, decided: null, ...state };
  const { asked, decided } = data;
  const title = decided ? titles[decided.decision] : asked ? 'Did you start this?' : 'Sign in a device';
  return { title, client: { page: 'device', data } };
}
