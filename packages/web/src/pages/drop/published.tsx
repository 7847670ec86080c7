import type { VersionRead } from '@spaceport/contract/versions';
import { useState } from 'preact/compat';
import { useTitle } from '../../app/address.ts';
import { useViewer } from '../../app/app.tsx';
import { claimUrl } from '../../data/kept-claims.ts';
import { useChecked } from '../../data/use-checked.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Frame } from '../../ui/frame.tsx';
import { RefusedStorage, useRefusedStorage } from '../../ui/refused-storage.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { GoLive, Outcome } from './go-live.tsx';
import { PhoneDialog } from './phone-dialog.tsx';
import { PreviewReport, PreviewVerdict } from './preview-check.tsx';
import { StageTitle } from './stage-title.tsx';
import type { Published } from './use-publish.ts';

/** Shown after a publish: the running page, its address, and what to do next. */
export function PublishedView({ published, onStartOver }: { published: Published; onStartOver: () => void }) {
  const viewer = useViewer();
  const { result, order, client, claim } = published;
  const title =
    order.target.is === 'space' ? order.target.title : claim ? claim.claim.title : order.fields.title;
  useTitle(title);
  // The check of a preview may end before the publish does, and then the outcome is its verdict.
  const isPreview = result.outcome === 'preview' || (result.outcome === 'refused' && !order.live);
  const [checked, setChecked] = useState<VersionRead | null>(null);
  useChecked(client, isPreview ? result.version.id : null, setChecked);
  const isRefused = result.outcome === 'refused' || checked?.status === 'refused';
  const isThere = isPreview && !isRefused;
  const previewUrl = isRefused ? undefined : result.previewUrl;
  const isWithoutStorage = useRefusedStorage(previewUrl ?? null);
  const isAnonymous = claim !== null && viewer === null;
  const address = isAnonymous ? result.pageUrl : (result.previewPageUrl ?? result.pageUrl);
  return (
    <div className="stack">
      <StageTitle>{isThere ? `${title} is ready to try` : title}</StageTitle>
      {!isPreview && <Outcome result={result} />}
      {previewUrl !== undefined && (
        <div className="drop-stage">
          <Frame address={previewUrl} title={title} poster={null} />
        </div>
      )}
      {isPreview && <PreviewVerdict read={checked} />}
      {isWithoutStorage && previewUrl !== undefined && <RefusedStorage address={previewUrl} />}
      {isThere && <Address address={address} alone={result.previewUrl} isAnonymous={isAnonymous} />}
      <PreviewReport read={checked} />
      {claim !== null && viewer === null && <Keep claim={claim} />}
      {viewer !== null && isThere && <GoLive result={result} title={title} />}
      <div className="row">
        <Button variant="plain" icon="drop" onClick={onStartOver}>
          Drop another version
        </Button>
        {viewer !== null && (
          <LinkButton variant="quiet" href={`/dashboard/${result.space.slug}`}>
            Manage the space
          </LinkButton>
        )}
      </div>
    </div>
  );
}

interface AddressProps {
  readonly address: string;
  /** Address of the version without our page around it. */
  readonly alone: string | undefined;
  readonly isAnonymous: boolean;
}

function Address({ address, alone, isAnonymous }: AddressProps) {
  const [isOnPhone, setOnPhone] = useState(false);
  return (
    <div className="stack stack--tight">
      <div className="drop-address">
        <CopyField label={isAnonymous ? 'Address of the page' : 'Preview link'} value={address} />
        <LinkButton variant="plain" icon="external" href={address} target="_blank" rel="noopener">
          Open
        </LinkButton>
        <Button variant="plain" icon="device" onClick={() => setOnPhone(true)}>
          On a phone
        </Button>
      </div>
      {alone !== undefined && <CopyField label="The same, without the page around it" value={alone} />}
      <p className="quiet small">
        {isAnonymous
          ? 'Only for people with its address. Search engines do not list it.'
          : 'The link works for a day, for everyone who has it.'}
      </p>
      {isOnPhone && <PhoneDialog address={address} onClose={() => setOnPhone(false)} />}
    </div>
  );
}

/** Asks to keep the token: without an account, only the token proves who owns the page. */
function Keep({ claim: { claim, kept } }: { claim: NonNullable<Published['claim']> }) {
  const link = claimUrl(claim.claimToken);
  return (
    <Card title="Keep it">
      <div className="stack">
        <p>
          It ends <TimeAgo at={claim.expiresAt} />. Claim it with an account, and it stays and can go live for
          everyone.
        </p>
        <div className="row">
          <LinkButton href={link}>Claim it</LinkButton>
        </div>
        {kept ? (
          <p className="quiet small">
            This browser remembers that it is yours. To claim it from another one, take this link along;
            whoever has it can take the page.
          </p>
        ) : (
          <Notice tone="warn">
            <strong>Your browser does not keep it</strong> (a private window, or storage switched off). Copy
            this link now: it is the only way to the page once this one is closed.
          </Notice>
        )}
        <CopyField label="Claim link" value={link} />
      </div>
    </Card>
  );
}
