import { lazy, Suspense, useState } from 'react';
import { useOrigin } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { reloadOnce } from '../../app/stale-page.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { RefusedStorage, useRefusedStorage } from '../../ui/refused-storage.tsx';
import { EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { About } from './about.tsx';
import { Achievements } from './achievements.tsx';
import { Boards } from './boards/boards.tsx';
import { Facts } from './facts.tsx';
import './space.css';
import { Stage } from './stage.tsx';

// Most players open neither.
const ReportDialog = lazy(() => import('./report-dialog.tsx').catch(reloadOnce));
const ShareDialog = lazy(() => import('./share-dialog.tsx').catch(reloadOnce));

/** /s/{slug} and /preview/{label}: the space in its frame, with who made it and how. */
export default function SpacePage({ data }: PageProps<'space'>) {
  const { space, frame, stage, isPreview, expiresAt } = data;
  const [open, setOpen] = useState<'report' | 'share' | null>(null);
  const isRefused = useRefusedStorage(space.hosted ? frame : null);
  const origin = useOrigin();
  const address = isPreview ? `${origin}/preview/${stage.space}` : space.service_url;
  const close = () => setOpen(null);
  return (
    <Main>
      {frame === null ? (
        <EmptyState icon="clock" title="Nothing has been published here yet" boxed>
          <p>Its creator has made the page and not gone live. Come back later.</p>
        </EmptyState>
      ) : (
        <Stage space={space} frame={frame} start={data.start} counts={!data.isOwn && !isPreview} />
      )}
      <div className="space-head">
        <div className="space-title">
          <h1>{space.title}</h1>
          {space.owner !== null && (
            <a className="space-owner" href={`/@${space.owner}`}>
              <Avatar name={space.owner} />@{space.owner}
            </a>
          )}
        </div>
        <div className="row">
          {data.isOwn && (
            <LinkButton variant="plain" href={`/dashboard/${space.slug}`}>
              Manage
            </LinkButton>
          )}
          <Button variant="plain" icon="share" onClick={() => setOpen('share')}>
            Share
          </Button>
          {!isPreview && (
            <Button variant="quiet" icon="flag" onClick={() => setOpen('report')}>
              Report
            </Button>
          )}
        </div>
      </div>
      {/* Below what can be pressed: nothing moves away from under a finger. */}
      {isRefused && frame !== null && <RefusedStorage address={frame} />}
      {!space.claimed && !space.hosted && (
        <Notice>
          <strong>Unclaimed:</strong> somebody listed this page, and nobody has shown yet that it is theirs.
        </Notice>
      )}
      {isPreview && expiresAt !== null && (
        <Notice>
          This is a preview of version {stage.version}, for those who have the link. The link ends{' '}
          <TimeAgo at={expiresAt} />. What is won here goes to the sandbox.
        </Notice>
      )}
      {!isPreview && expiresAt !== null && (
        <Notice tone="warn">
          This page is not listed and ends <TimeAgo at={expiresAt} />. Did you publish it?{' '}
          <a href="/claim">Claim it</a> to keep it.
        </Notice>
      )}
      <div className="space-columns">
        <About space={space} />
        <aside className="stack" aria-label="Details">
          {space.boards.length > 0 && stage.env === 'live' && (
            // Asked for by script, each ranking when it is looked at.
            <div className="script-only">
              <Boards slug={space.slug} boards={space.boards} />
            </div>
          )}
          {space.achievements.length > 0 && (
            <Achievements slug={space.slug} achievements={space.achievements} />
          )}
          <Facts space={space} />
        </aside>
      </div>
      <Suspense>
        {open === 'report' && <ReportDialog slug={space.slug} title={space.title} onClose={close} />}
        {open === 'share' && <ShareDialog title={space.title} address={address} onClose={close} />}
      </Suspense>
    </Main>
  );
}
