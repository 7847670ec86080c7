import type { OwnSession } from '@spaceport/contract/account-access';
import type { OwnPageOf } from '@spaceport/contract/first-data';
import { settingsDone } from '@spaceport/contract/settings-done';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { describeBrowser } from '../../ui/describe-browser.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Badge, TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { MoreOfList } from './more-of-list.tsx';
import { useFocusWhenGone } from './use-focus-when-gone.ts';
import { useOwnPages } from './use-own-pages.ts';

/** The browsers in which the account is signed in. */
export function Sessions({ first }: { first: OwnPageOf<OwnSession> }) {
  const { pages, items, change } = useOwnPages(first, async (cursor) => {
    const { sessions, next } = await client.readSessions({ query: { cursor, limit: 24 } });
    return { items: sessions, next };
  });
  const [hasEnded, setEnded] = useState(false);
  const sessions = hasEnded ? items.filter(({ current }) => current) : items;
  const [asked, setAsked] = useState<OwnSession | 'others' | null>(null);
  const about = useFocusWhenGone<HTMLParagraphElement>(asked !== null);
  const others = sessions.filter(({ current }) => !current);
  const hasMore = !hasEnded && (pages.next !== null || first.at !== null);
  const close = () => setAsked(null);
  return (
    <Card
      title="Browsers"
      actions={
        (others.length > 1 || hasMore) && (
          <Button variant="plain" size="small" onClick={() => setAsked('others')}>
            Sign out the others…
          </Button>
        )
      }
    >
      <p ref={about} tabIndex={-1} className="quiet settings-about">
        Where you are signed in. Sign out a browser that you lost, or that is not yours.
      </p>
      <ul id="sessions" className="settings-rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{describeBrowser(session.user_agent)}</strong>
              {session.current && <Badge tone="good">this one</Badge>}
              <p className="quiet small">
                signed in <TimeAgo at={session.created_at} /> · ends <TimeAgo at={session.expires_at} />
              </p>
            </div>
            {!session.current && (
              <Button
                variant="plain"
                size="small"
                aria-label={`Sign out ${describeBrowser(session.user_agent)}`}
                onClick={() => setAsked(session)}
              >
                Sign out…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!hasEnded && <MoreOfList name="sessions" pages={pages} />}
      {(others.length > 0 || hasMore) && (
        <noscript>
          <form method="post" action="/settings/sessions/end">
            <Button type="submit" variant="plain" size="small">
              Sign out every other browser
            </Button>
          </form>
        </noscript>
      )}
      {asked === 'others' && (
        <ConfirmDialog
          title="Sign out every other browser?"
          action="Sign them out"
          onClose={close}
          onConfirm={async () => {
            await client.endOtherSessions();
            setEnded(true);
            showToast(settingsDone.ended);
          }}
        >
          {hasMore ? 'All other' : others.length} browsers have to sign in again. This one stays, and so do
          your API tokens.
        </ConfirmDialog>
      )}
      {asked !== null && asked !== 'others' && (
        <ConfirmDialog
          title={`Sign out ${describeBrowser(asked.user_agent)}?`}
          action="Sign it out"
          onClose={close}
          onConfirm={async () => {
            await client.endSession({ params: { id: asked.id } });
            change(asked.id, null);
            showToast('The browser was signed out.');
          }}
        >
          That browser has to sign in again. What was typed there and not saved is lost.
        </ConfirmDialog>
      )}
    </Card>
  );
}
