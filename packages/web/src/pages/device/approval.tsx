import type { FoundDevice } from '@spaceport/contract/account-access';
import type { Scope } from '@spaceport/contract/scopes';
import { useState } from 'react';
import { useViewer } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';
import { FailureText } from '../../ui/refusal.tsx';
import { ScopeChoice } from '../../ui/scope-choice.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import type { Decision } from './decided.tsx';

/** What asks, from where and when; and whether they started it. Nothing is sent before they say. */
export function Approval({
  asked,
  isNew,
  onOther,
  onDecided,
}: {
  asked: FoundDevice;
  isNew: boolean;
  onOther: () => void;
  onDecided: (decision: Decision) => void;
}) {
  const viewer = useViewer();
  const [said, setSaid] = useState<Decision | null>(null);
  // What only operators can give is not offered to others, and never ticked beforehand.
  const offered = asked.scopes.filter((scope) => scope !== 'operate' || viewer?.operator);
  const [scopes, setScopes] = useState<readonly Scope[]>(offered.filter((scope) => scope !== 'operate'));
  const { run, busy, failure } = useAction(async (decision: Decision) => {
    setSaid(decision);
    await client.decideDevice({
      body: { user_code: asked.user_code, decision, ...(decision === 'approve' && { scopes: [...scopes] }) },
    });
    onDecided(decision);
  });
  const here = `/device?${new URLSearchParams({ user_code: asked.user_code })}`;
  const account = viewer?.handle ? `@${viewer.handle}` : viewer?.name;
  return (
    <FormPage
      title="Did you start this?"
      isNew={isNew}
      below={[
        ...(viewer?.handle === null
          ? [
              <span key="handle">
                You have no handle yet:{' '}
                <a href={`/handle?${new URLSearchParams({ next: here })}`}>choose one</a> before you publish.
              </span>,
            ]
          : []),
      ]}
    >
      <div className="card stack">
        {failure && (
          <Notice
            tone="bad"
            actions={
              <Button variant="plain" size="small" onClick={onOther}>
                Enter another code
              </Button>
            }
          >
            <FailureText failure={failure} />
          </Notice>
        )}
        <p>
          A program asks to act as <strong>{account}</strong>
          {asked.space === null ? (
            ', on all your spaces.'
          ) : (
            <>
              , on <strong>{asked.space}</strong> alone.
            </>
          )}
        </p>
        <ScopeChoice
          offered={offered}
          chosen={scopes}
          problem={scopes.length === 0 ? 'Tick at least one, or refuse it.' : null}
          onChange={setScopes}
        />
        {offered.length < asked.scopes.length && (
          <Notice tone="warn">It also asks to operate the service, which only an operator can let it.</Notice>
        )}
        <dl className="facts">
          <dt>What</dt>
          <dd>
            <strong>{asked.client_name ?? 'A program that gave no name'}</strong>
          </dd>
          <dt>From</dt>
          <dd>
            {asked.address}
            {asked.address === asked.your_address && <span className="quiet"> (as this browser)</span>}
          </dd>
          <dt>When</dt>
          <dd>
            <TimeAgo at={asked.asked_at} />
          </dd>
          <dt>Code</dt>
          <dd>
            <code className="user-code">{asked.user_code}</code>
          </dd>
        </dl>
        {asked.address !== asked.your_address && (
          <Notice tone="warn">It asked from another address than yours ({asked.your_address}).</Notice>
        )}
        <p className="small">
          Say yes only if you started it yourself just now and it shows this very code. If somebody sent you
          the code or this link, say no.
        </p>
        <div className="choices">
          <Button
            busy={busy && said === 'approve'}
            disabled={scopes.length === 0}
            onClick={() => run('approve')}
          >
            Yes, I started it
          </Button>
          <Button variant="plain" busy={busy && said === 'deny'} onClick={() => run('deny')}>
            No, refuse it
          </Button>
        </div>
      </div>
    </FormPage>
  );
}
