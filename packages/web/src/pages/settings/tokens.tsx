import { cliLine } from '@spaceport/contract/cli-line';
import type { OwnPageOf, RefusedSetting } from '@spaceport/contract/first-data';
import type { OwnToken } from '@spaceport/contract/own-tokens';
import { scopeWords } from '@spaceport/contract/scopes';
import { settingsDone } from '@spaceport/contract/settings-done';
import { useState } from 'preact/compat';
import { useOrigin } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { MoreOfList } from './more-of-list.tsx';
import { AskingWithoutScript, refusedForm } from './setting.tsx';
import { MadeTokenDialog, NarrowTokenDialog, NewTokenDialog } from './token-dialogs.tsx';
import { type MakeProps, MakeTokenWithoutScript, NarrowTokenWithoutScript } from './token-forms.tsx';
import { useFocusWhenGone } from './use-focus-when-gone.ts';
import { useOwnPages } from './use-own-pages.ts';

/** The account's API tokens. */
export function Tokens({
  first,
  made,
  refused,
  choice,
  operator,
}: MakeProps & {
  first: OwnPageOf<OwnToken>;
  /** The token that a form of the document has just made. */
  made: string | null;
  refused: RefusedSetting | null;
}) {
  const origin = useOrigin();
  const {
    pages,
    items: tokens,
    add,
    change,
  } = useOwnPages(first, async (cursor) => {
    const { tokens: items, next } = await client.readTokens({ query: { cursor, limit: 24 } });
    return { items, next };
  });
  const [isMaking, setMaking] = useState(false);
  const [newToken, setNewToken] = useState<string | null>(null);
  const [narrowed, setNarrowed] = useState<OwnToken | null>(null);
  const [asked, setAsked] = useState<OwnToken | null>(null);
  const about = useFocusWhenGone<HTMLParagraphElement>(asked !== null);
  return (
    <Card
      title="API tokens"
      actions={
        <Button variant="plain" size="small" onClick={() => setMaking(true)}>
          Make a token
        </Button>
      }
    >
      <p ref={about} tabIndex={-1} className="quiet settings-about">
        Each of these can act in your name, within its scopes. Revoke those that you do not know or no longer
        use.
      </p>
      {made !== null && (
        <Notice tone="good">
          <p>Your new token, which is shown only now:</p>
          <CopyField label="Token" value={made} />
        </Notice>
      )}
      {tokens.length === 0 && pages.next === null ? (
        <p className="quiet">
          You have no tokens. <code>{cliLine(origin, 'login')}</code> makes one.
        </p>
      ) : (
        <ul id="tokens" className="settings-rows">
          {tokens.map((token) => (
            <li key={token.id}>
              <div>
                <strong>{nameOf(token)}</strong>
                <p className="small">{reachOf(token)}</p>
                <p className="quiet small">
                  made <TimeAgo at={token.created_at} /> ·{' '}
                  {token.last_used_at === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <TimeAgo at={token.last_used_at} />
                    </>
                  )}{' '}
                  · ends <TimeAgo at={token.expires_at} />
                </p>
              </div>
              <div className="row">
                <Button
                  variant="plain"
                  size="small"
                  aria-label={`Narrow ${nameOf(token)}`}
                  onClick={() => setNarrowed(token)}
                >
                  Narrow…
                </Button>
                <Button
                  variant="plain"
                  size="small"
                  aria-label={`Revoke ${nameOf(token)}`}
                  onClick={() => setAsked(token)}
                >
                  Revoke…
                </Button>
              </div>
              <NarrowTokenWithoutScript
                token={token}
                name={nameOf(token)}
                choice={choice}
                page={first.at}
                refused={refusedForm(refused, 'narrow-token', token.id)}
              />
              <AskingWithoutScript action="Revoke">
                <form className="stack" method="post" action="/settings/tokens/revoke">
                  <input type="hidden" name="id" value={token.id} />
                  <p className="small">{ofRevoking}</p>
                  <div>
                    <Button type="submit" variant="danger" size="small">
                      Revoke {nameOf(token)}
                    </Button>
                  </div>
                </form>
              </AskingWithoutScript>
            </li>
          ))}
        </ul>
      )}
      <MoreOfList name="tokens" pages={pages} />
      <MakeTokenWithoutScript
        choice={choice}
        operator={operator}
        refused={refusedForm(refused, 'make-token')}
      />
      {isMaking && (
        <NewTokenDialog
          choice={choice}
          operator={operator}
          onMade={(about, token) => {
            add(about);
            setNewToken(token);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {newToken !== null && <MadeTokenDialog token={newToken} onClose={() => setNewToken(null)} />}
      {narrowed && (
        <NarrowTokenDialog
          token={narrowed}
          choice={choice}
          onChanged={(changed) => change(changed.id, changed)}
          onClose={() => setNarrowed(null)}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={`Revoke ${nameOf(asked)}?`}
          action="Revoke"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await client.revokeToken({ params: { id: asked.id } });
            change(asked.id, null);
            showToast(settingsDone.revoked);
          }}
        >
          {ofRevoking}
        </ConfirmDialog>
      )}
    </Card>
  );
}

const ofRevoking =
  'Programs that use it are refused at once, and have to sign in again. What they published stays.';

function reachOf({ scopes, space }: OwnToken): string {
  const what = scopes.map((scope) => scopeWords[scope].title).join(', ');
  return `${what} · ${space === null ? 'all your spaces' : `${space} alone`}`;
}

function nameOf({ client_name: name }: OwnToken): string {
  return name ?? 'A program that gave no name';
}
