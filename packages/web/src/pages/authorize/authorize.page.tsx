import { noScopeChosen } from '@spaceport/contract/scopes';
import { useViewer } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { BrowserForm } from '../../ui/browser-form.tsx';
import { Button } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';
import { ScopeChoice } from '../../ui/scope-choice.tsx';
import { SpaceSelect } from '../../ui/space-select.tsx';
import { Notice } from '../../ui/surfaces.tsx';

/**
 * /oauth/authorize: a program asks to act for the signed-in person, who approves or refuses. The browser
 * sends the form itself, because the answer redirects to the program.
 */
export default function AuthorizePage({
  data: { clientName, clientSite, leadsTo, scopes, spaces, space, action, problem },
}: PageProps<'authorize'>) {
  const viewer = useViewer();
  const account = viewer?.handle ? `@${viewer.handle}` : viewer?.name;
  // Only operators are offered `operate`, and its box is not ticked at first.
  const offered = scopes.filter((scope) => scope !== 'operate' || viewer?.operator);
  return (
    <FormPage
      title="Let it in?"
      below={
        viewer?.handle === null
          ? [
              <span key="handle">
                You have no handle yet:{' '}
                <a href={`/handle?${new URLSearchParams({ next: action })}`}>choose one</a> before you
                publish.
              </span>,
            ]
          : []
      }
    >
      <BrowserForm className="card stack" action={action}>
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <p>
          <strong>{clientName}</strong> asks to act as <strong>{account}</strong>
          {spaces?.length === 0 && ', on all your spaces'}.
        </p>
        <ScopeChoice
          offered={offered}
          ticked={offered.filter((scope) => scope !== 'operate')}
          none={noScopeChosen}
        />
        {spaces?.length !== 0 && <SpaceSelect spaces={spaces} chosen={space} />}
        <dl className="facts">
          <dt>From</dt>
          <dd>{clientSite ?? 'Unknown: nobody has verified the name of this program'}</dd>
          <dt>Leads to</dt>
          <dd>
            <strong>{leadsTo.host}</strong>
            {leadsTo.kind === 'machine' && <span className="quiet"> (a program on this machine)</span>}
            {leadsTo.kind === 'program' && <span className="quiet"> (a program of that name)</span>}
          </dd>
        </dl>
        <p className="small">
          Say yes only if you started it yourself just now. Its token will be in your settings, where you can
          revoke it.
        </p>
        <div className="choices">
          <Button type="submit" name="decision" value="approve">
            Yes, allow it
          </Button>
          <Button type="submit" variant="plain" name="decision" value="deny">
            No, refuse it
          </Button>
        </div>
      </BrowserForm>
    </FormPage>
  );
}
