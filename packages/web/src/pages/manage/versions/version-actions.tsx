import { goLive } from '@spaceport/client/go-live';
import type { VersionRead } from '@spaceport/contract/versions';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { CopyField } from '../../../ui/copy.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import type { VersionProps } from './version-item.tsx';
import { standingOf } from './version-state.tsx';

interface ActionsProps extends VersionProps {
  readonly read: VersionRead;
  /** Reads the version again. */
  readonly onRead: () => void;
}

/** The possible actions on a version in its current state. */
export function VersionActions({ version, live, read, onRead, onChanged }: ActionsProps) {
  const { space } = useOwnSpace();
  const standing = standingOf(version);
  const [isAsking, setAsking] = useState(false);
  const { previewUrl, previewPageUrl } = read;
  const [link, setLink] = useState<PreviewLinkProps | null>(
    previewUrl === undefined || previewPageUrl === undefined
      ? null
      : { previewUrl, previewPageUrl, expiresAt: null },
  );
  const publish = useAction(async () => {
    const made = await goLive(client, { versionId: version.id, space: space.slug }, { wait: false });
    showToast(`Version ${made.version.number} has the same files, and is being checked.`);
    onChanged();
  });
  const preview = useAction(async () => {
    setLink(await client.newPreview({ params: { id: version.id } }));
  });
  const review = useAction(async () => {
    await client.requestReview({ params: { id: version.id } });
    onRead();
  });
  const [isDeleting, setDeleting] = useState(false);
  const isOnService = space.state === 'listed' || space.state === 'unlisted' || space.state === 'offline';
  const again = againLabel(standing, version.leftBehind);
  const failure = publish.failure ?? preview.failure ?? review.failure;
  return (
    <div className="stack stack--tight">
      {isOnService && (
        <div className="row">
          {version.rollback && live !== null && (
            <Button icon="restart" onClick={() => setAsking(true)}>
              {version.number < live.number ? 'Roll back to' : 'Roll forward to'} {version.number}
            </Button>
          )}
          {again !== null && !version.rollback && (
            <Button
              icon={standing === 'preview' ? 'play' : 'restart'}
              busy={publish.busy}
              onClick={publish.run}
            >
              {again}
            </Button>
          )}
          {standing !== 'refused' && standing !== 'uploading' && (
            <Button variant="plain" busy={preview.busy} onClick={preview.run}>
              {link === null ? 'Make a preview link' : 'Make a new link'}
            </Button>
          )}
          {version.reviewable && !read.reviewRequested && (
            <Button variant="plain" icon="flag" busy={review.busy} onClick={review.run}>
              Ask for a review
            </Button>
          )}
          {version.id !== live?.id && (
            <Button variant="plain" icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
        </div>
      )}
      {standing === 'preview' && isOnService && (
        <p className="quiet small">
          Going live makes a new version of the very same files, which is checked first. Nothing is sent
          again.
        </p>
      )}
      {link !== null && standing !== 'refused' && <PreviewLink {...link} />}
      <FailureNotice failure={failure} />
      {isDeleting && (
        <ConfirmDialog
          title={`Delete version ${version.number}?`}
          action="Delete it"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await client.deleteVersion({ params: { id: version.id } });
            showToast(`Version ${version.number} is deleted.`);
            onChanged();
          }}
        >
          <p>Its files and its preview links are deleted for good, and nobody can roll back to it.</p>
        </ConfirmDialog>
      )}
      {isAsking && live !== null && (
        <RollbackDialog
          slug={space.slug}
          to={version}
          live={live}
          onClose={() => setAsking(false)}
          onChanged={onChanged}
        />
      )}
    </div>
  );
}

/** Returns the label for publishing the same files again, or null if that does not help. */
function againLabel(standing: ReturnType<typeof standingOf>, leftBehind: boolean): string | null {
  if (leftBehind) return 'Host this here again';
  if (standing === 'preview') return 'Go live';
  return standing === 'stopped' || standing === 'unjudged' ? 'Check again' : null;
}

interface PreviewLinkProps {
  /** Address of the preview without our page around it. */
  readonly previewUrl: string;
  /** Address of our page around the preview, with the sandbox's boards and saves. */
  readonly previewPageUrl: string;
  readonly expiresAt: string | null;
}

function PreviewLink({ previewUrl, previewPageUrl, expiresAt }: PreviewLinkProps) {
  return (
    <div className="preview-link">
      <Address label="Preview link" url={previewPageUrl} open="Open" />
      <Address label="The same, without the page around it" url={previewUrl} open="Open it alone" />
      <p className="quiet small">
        Anyone with the link can open it;{' '}
        {expiresAt === null ? (
          'it lasts 24 hours from when it was made.'
        ) : (
          <>
            it ends <TimeAgo at={expiresAt} />.
          </>
        )}
      </p>
    </div>
  );
}

/** One address of a preview, to be copied or opened. */
function Address({ label, url, open }: { label: string; url: string; open: string }) {
  return (
    <>
      <span className="quiet small" aria-hidden="true">
        {label}
      </span>
      <CopyField label={label} value={url} />
      <LinkButton variant="plain" icon="external" href={url} target="_blank" rel="noopener">
        {open}
      </LinkButton>
    </>
  );
}
