import type { FoundDevice } from '@spaceport/contract/account-access';
import type { DecidedDevice, ShownForm } from '@spaceport/contract/first-data';
import { noScopeChosen } from '@spaceport/contract/scopes';
import { type ReactNode, useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { chosenScopes, ScopeChoice } from '../../ui/scope-choice.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';

type Decision = DecidedDevice['decision'];

/** Shows the device, its place and time, and asks whether the person started the sign-in. */
export function Approval({
  asked,
  form,
  isNew,
  onOther,
  onDecided,
}: {
  asked: FoundDevice;
  form: ShownForm | null;
  isNew: boolean;
  onOther: () => void;
  onDecided: (decided: DecidedDevice) => void;
}) {
  const viewer = useViewer();
  const [said, setSaid] = useState<Decision | null>(null);
  // Only operators are offered `operate`, and its box is not ticked at first.
  const offered = asked.scopes.filter((scope) => scope !== 'operate' || viewer?.operator);
  const { above, at, busy, send } = useForm(
    ['scopes'],
    async (sent) => {
      const decision = textOf(sent, 'decision') === 'approve' ? 'approve' : 'deny';
      const scopes = chosenScopes(sent);
      // The boxes show the problem themselves.
      if (decision === 'approve' && scopes.length === 0) return;
      setSaid(decision);
      const { user_code } = asked;
      await client.decideDevice({
        body: { user_code, decision, ...(decision === 'approve' && { scopes }) },
      });
      onDecided({ clientName: asked.client_name, decision });
    },
    form,
  );
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
      <FormCard
        action="/device"
        failure={above && <NotDecided why={above} onOther={onOther} />}
        onSend={send}
      >
        <input type="hidden" name="user_code" value={asked.user_code} />
        <input type="hidden" name="offered" value="yes" />
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
          ticked={offered.filter((scope) => scope !== 'operate')}
          none={noScopeChosen}
          problem={at('scopes')}
        />
        {offered.length < asked.scopes.length && (
          <Notice tone="warn">It also asks to operate the service, which only an operator can allow.</Notice>
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
          <Notice tone="warn">
            The request came from another network address than yours ({asked.your_address}).
          </Notice>
        )}
        <p className="small">
          Say yes only if you started it yourself just now and it shows this very code. If somebody sent you
          the code or this link, say no.
        </p>
        <div className="choices">
          <Button type="submit" name="decision" value="approve" busy={busy && said === 'approve'}>
            Yes, I started it
          </Button>
          <Button type="submit" variant="plain" name="decision" value="deny" busy={busy && said === 'deny'}>
            No, refuse it
          </Button>
        </div>
      </FormCard>
    </FormPage>
  );
}

function NotDecided({ why, onOther }: { why: ReactNode; onOther: () => void }) {
  return (
    <>
      <p>{why}</p>
      <LinkButton
        variant="plain"
        size="small"
        href="/device"
        onClick={(event) => {
          event.preventDefault();
          onOther();
        }}
      >
        Enter another code
      </LinkButton>
    </>
  );
}
