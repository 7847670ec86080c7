import { reportContent } from '@spaceport/contract/content';
import { invitationTo } from '@spaceport/contract/invitation';
import { reportSpace } from '@spaceport/contract/reports';
import { Suspense, useMemo, useState } from 'preact/compat';
import { useOrigin, useViewer } from '../../app/app.tsx';
import { ElementIds } from '../../app/element-id.tsx';
import { lazyPart } from '../../app/lazy-part.tsx';
import type { PageProps } from '../../app/pages.ts';
import { caller } from '../../data/caller.ts';
import { useStage } from '../../stage/use-stage.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { RefusedStorage, useRefusedStorage } from '../../ui/refused-storage.tsx';
import { EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { About } from './about.tsx';
import { Facts } from './facts.tsx';
import { MissingDialog } from './missing-dialog.tsx';
import { Panels } from './panels.late.tsx';
import './space.css';
import { Stage } from './stage.tsx';

// Loaded when shown, because most players see none of these.
const ReportDialog = lazyPart(() => import('./report-dialog.tsx'), MissingDialog);
const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), MissingDialog);
const RoomCards = lazyPart(
  () => import('./rooms.tsx'),
  () => null,
);
const SignInDialog = lazyPart(() => import('../../sign-in/sign-in-dialog.tsx'), MissingDialog);

/** /s/{slug} and /preview/{label}: the space in its frame, with its creator and how it was made. */
export default function SpacePage({ data }: PageProps<'space'>) {
  const { space, frame, stage, isPreview, expiresAt } = data;
  const [open, setOpen] = useState<'report' | 'share' | null>(null);
  const isRefused = useRefusedStorage(space.hosted && stage.storage === null ? frame : null);
  const origin = useOrigin();
  const viewer = useViewer();
  const controls = useStage(data);
  const address = isPreview ? `${origin}/preview/${stage.space}` : space.service_url;
  const { room, invitation, openRooms, reported } = controls.state;
  const close = () => setOpen(null);
  const { store, signIn } = controls;
  const hasPanels = space.boards.length > 0 || space.achievements.length > 0;
  // The same element for the same data: Preact would draw a part anew that changes before it is hydrated.
  const panels = useMemo(
    () => (
      <ElementIds>
        <Suspense fallback={null}>
          <Panels space={space} stage={stage} store={store} onSignIn={signIn} />
        </Suspense>
      </ElementIds>
    ),
    [space, stage, store, signIn],
  );
  return (
    <Main>
      {frame === null ? (
        <EmptyState
          icon="clock"
          title="Nothing has been published here yet"
          boxed
          actions={data.isOwn && <LinkButton href={`/dashboard/${space.slug}`}>See its versions</LinkButton>}
        >
          <p>
            {data.isOwn
              ? 'Nobody else can open this page until a version is live.'
              : 'Its creator has made the page and not gone live. Come back later.'}
          </p>
        </EmptyState>
      ) : (
        <Stage
          space={space}
          frame={frame}
          start={data.start}
          counts={!data.isOwn && !isPreview}
          controls={controls}
          onShare={() => setOpen('share')}
        />
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
          {!isPreview && !data.isOwn && (
            <Button variant="quiet" icon="flag" onClick={() => setOpen('report')}>
              Report
            </Button>
          )}
        </div>
      </div>
      {/* Below the buttons, so that they do not move under a finger. */}
      {isRefused && !controls.state.savesHere && frame !== null && <RefusedStorage address={frame} />}
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
          {(room !== null || openRooms !== null) && (
            <Suspense fallback={null}>
              <RoomCards room={room} openRooms={openRooms} onJoin={controls.invite} />
            </Suspense>
          )}
          {hasPanels && panels}
          <Facts space={space} isPublished={frame !== null} />
        </aside>
      </div>
      <Suspense fallback={null}>
        {controls.state.signingIn && (
          <SignInDialog
            why="Your scores count, and what you reach follows you to your other devices. The game goes on where it is."
            onSignedIn={controls.signedIn}
            onClose={() => controls.state.signingIn?.(viewer !== null)}
          />
        )}
        {open === 'report' && (
          <ReportDialog
            title={space.title}
            send={(body) => caller.call(reportSpace, { params: { slug: space.slug }, body })}
            onClose={close}
          />
        )}
        {reported !== null && (
          <ReportDialog
            title={reported.title === '' ? `this ${reported.kind}` : reported.title}
            send={(body) =>
              caller.call(reportContent, {
                params: { id: reported.id },
                body: { space: stage.space, ...body },
              })
            }
            onClose={controls.reportDone}
          />
        )}
        {open === 'share' && (
          <ShareDialog
            title={space.title}
            address={invitationTo(room?.link ?? address, { room: null, query: invitation ?? '' })}
            isInvitation={room !== null || invitation !== null}
            code={room?.code ?? null}
            onClose={close}
          />
        )}
      </Suspense>
    </Main>
  );
}
