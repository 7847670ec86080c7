import type { OwnSession } from '@spaceport/contract/account-access';
import type { OwnPageOf } from '@spaceport/contract/first-data';
import { useState } from 'preact/compat';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useAnswerKey } from '../../data/use-answer-key.ts';
import { Card, Main, Notice } from '../../ui/surfaces.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EmailSetting } from './email-setting.tsx';
import { NameSetting } from './name-setting.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordSetting } from './password-setting.tsx';
import { Sessions } from './sessions.tsx';
import { FixedSetting, refusedForm } from './setting.tsx';
import './settings-page.css';
import { Tokens } from './tokens.tsx';

/** /settings: the account, its ways to sign in, and its tokens and sessions. */
export default function SettingsPage({ data }: PageProps<'settings'>) {
  const [account, setAccount] = useState(data.account);
  const { refused } = data;
  const [sessions, setSessions] = useState(data.sessions);
  const sessionsKey = useAnswerKey(sessions);
  return (
    <Main width="wide">
      <h1 className="settings-title">Settings</h1>
      <div className="settings-sections">
        {data.done !== null && <Notice tone="good">{data.done}</Notice>}
        <Card title="Account">
          <NameSetting account={account} refused={refusedForm(refused, 'name')} onChanged={setAccount} />
          <FixedSetting name="Handle">
            <Handle handle={account.handle} />
          </FixedSetting>
          <EmailSetting account={account} refused={refusedForm(refused, 'email')} />
          <PasswordSetting
            account={account}
            refused={refusedForm(refused, 'password')}
            onChanged={() => {
              // The change ended every other session, and gave this one a new id.
              client.readSessions({ query: {} }).then(
                (read) => setSessions({ items: read.sessions, next: read.next, at: null }),
                () => setSessions((before) => onlyThis(before.items)),
              );
            }}
          />
        </Card>
        <Passkeys first={data.passkeys} />
        <Tokens
          first={data.tokens}
          made={data.madeToken}
          refused={refused}
          choice={data.tokenChoice}
          operator={account.operator}
        />
        <Sessions key={sessionsKey} first={sessions} />
        <DeleteAccount account={account} refused={refusedForm(refused, 'delete')} />
      </div>
    </Main>
  );
}

/** Returns the list of a browser that alone is signed in. */
function onlyThis(sessions: readonly OwnSession[]): OwnPageOf<OwnSession> {
  return { items: sessions.filter(({ current }) => current), next: null, at: null };
}

function Handle({ handle }: { handle: string | null }) {
  if (handle !== null) return <a href={`/@${handle}`}>@{handle}</a>;
  return (
    <>
      You have no handle yet. <a href="/handle?next=/settings">Choose one</a> before you publish.
    </>
  );
}
