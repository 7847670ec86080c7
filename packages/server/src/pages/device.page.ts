import type { DeviceData } from '@spaceport/contract/first-data';
import type { Creator } from '../accounts/accounts.ts';
import type { Approvals, DeviceRequest } from '../accounts/device/approvals.ts';
import { toFoundDevice } from '../accounts/own-view.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import { pathWith } from './next-path.ts';
import { type PageDocument, type PageScope, signInFirst } from './page-scope.ts';
import { chosenScopes, scopeChoice } from './scope-choice.ts';
import { shownAgain } from './shown-again.ts';

/** /device: a creator types a device's code, sees what asks, and says yes or no (RFC 8628 §3.3, §5.4). */
export function mountDevice(scope: PageScope, { approvals }: { approvals: Approvals }): void {
  scope.get('/device', async (page) => {
    const { session } = page;
    if (!session) return signInFirst(page);
    const { user_code: code } = page.query;
    if (code === undefined) return drawn(codePage(emptyForm), { userCode: null, asked: null, problem: null });
    return shownAgain(
      async () => {
        const asked = await approvals.open(session, code);
        const { address } = page.request;
        return drawn(approvalPage(asked, session.creator, address), {
          userCode: asked.userCode,
          asked: toFoundDevice(asked, address),
          problem: null,
        });
      },
      { values: { user_code: code }, fields: [] },
      (form) => drawn(codePage(form), { userCode: code, asked: null, problem: form.problem }),
    );
  });

  scope.post('/device', async (page) => {
    const { session } = page;
    const { user_code: code = '', decision } = page.form;
    // Signed out meanwhile: the code is not lost.
    if (!session) return { redirect: pathWith('/sign-in', { next: pathOf(code) }) };
    return shownAgain(
      async () => {
        const approve = decision === 'approve';
        const given = page.form.offered === undefined ? undefined : chosenScopes(page.form);
        if (approve && given?.length === 0) {
          const asked = await approvals.find(session, code);
          const problem = 'Tick at least one thing that it may do, or refuse it.';
          return { ...approvalPage(asked, session.creator, page.request.address, problem), status: 422 };
        }
        return decidedPage(await approvals.decide(session, code, { approve, scopes: given }), approve);
      },
      { values: { user_code: code }, fields: [] },
      codePage,
    );
  });
}

/** The page with a code, to come back to. */
function pathOf(code: string): string {
  return pathWith('/device', { user_code: code });
}

function drawn(page: PageDocument, data: DeviceData): PageDocument {
  return { ...page, client: { page: 'device', data } };
}

function codePage(form: FormState): PageDocument {
  return {
    title: 'Sign in a device',
    body: html`<h1>Sign in a device</h1>
<form class="card" method="get" action="/device">
${formProblem(form)}
${field(form, {
  name: 'user_code',
  label: 'Code',
  autocomplete: 'off',
  maxLength: 12,
  className: 'code',
  hint: 'It is shown by the program that you are signing in.',
})}
<button class="whole" type="submit">Continue</button>
</form>`,
  };
}

function approvalPage(
  asked: DeviceRequest,
  creator: Creator,
  here: string,
  problem: string | null = null,
): PageDocument {
  // What only operators can give is not offered to others.
  const offered = asked.scopes.filter((scope) => scope !== 'operate' || creator.operator);
  const account = creator.handle === null ? creator.name : `@${creator.handle}`;
  return {
    title: 'Did you start this?',
    body: html`<h1>Did you start this?</h1>
<form class="card" method="post" action="/device">
${formProblem({ ...emptyForm, problem })}
<p>A program asks to act as <strong>${account}</strong>${asked.space === null ? ', on all your spaces' : html`, on <strong>${asked.space}</strong> alone`}.</p>
${scopeChoice(
  offered,
  offered.filter((scope) => scope !== 'operate'),
)}
${offered.length < asked.scopes.length && html`<p class="notice warn">It also asks to operate the service, which only an operator can let it.</p>`}
${description(asked)}
${asked.address !== here && html`<p class="notice warn">It asked from another address than yours (${here}).</p>`}
<p class="small">Say yes only if you started it yourself just now and it shows this very code. If somebody sent you the code or this
link, say no.</p>
${hidden('user_code', asked.userCode)}${hidden('offered', 'yes')}
<div class="choices">
<button type="submit" name="decision" value="approve">Yes, I started it</button>
<button class="plain" type="submit" name="decision" value="deny">No, refuse it</button>
</div>
</form>
${creator.handle === null && html`<p class="below">You have no handle yet: <a href="${pathWith('/handle', { next: pathOf(asked.userCode) })}">choose one</a> before you publish.</p>`}`,
  };
}

function description({ clientName, address, askedAt, userCode }: DeviceRequest): Html {
  const at = toTimestamp(askedAt);
  return html`<dl class="facts">
<dt>What</dt><dd><strong>${clientName ?? 'A program that gave no name'}</strong></dd>
<dt>From</dt><dd>${address}</dd>
<dt>When</dt><dd><time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time></dd>
<dt>Code</dt><dd><code class="user-code">${userCode}</code></dd>
</dl>`;
}

function decidedPage({ clientName }: DeviceRequest, approved: boolean): PageDocument {
  const what = clientName ?? 'The program';
  return {
    title: approved ? 'Signed in' : 'Refused',
    body: approved
      ? html`<h1>Done</h1><div class="card"><p role="status">${what} is signed in. You can close this page and go back to it.</p>
<p class="quiet">Its token is in your <a href="/settings">settings</a>, where you can revoke it.</p></div>`
      : html`<h1>Refused</h1><div class="card"><p role="status">${what} was not signed in. Nothing else needs to be done.</p></div>`,
  };
}
