import { parseUrl } from '@spaceport/contract/parse-url';
import { useState } from 'preact/compat';
import { ReloadFailure } from '../../../ui/reload-failure.tsx';
import { Notice } from '../../../ui/surfaces.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { WaitingSection } from '../waiting-section.tsx';
import { NextVersion } from './next-version.tsx';
import { openByItself, useVersions, type VersionList } from './use-versions.ts';
import { VersionItem } from './version-item.tsx';
import './versions.css';

/** The versions of a space, newest first, with actions. */
export default function VersionsSection() {
  const { space } = useOwnSpace();
  const { value, error, reload } = useVersions(space.slug);
  if (value === null) return <WaitingSection loads={[{ error, reload }]} />;
  const { versions, details } = value;
  return (
    <div className="stack stack--loose">
      <ReloadFailure loads={[{ error, reload }]} />
      {!space.hosted && <Elsewhere url={space.url ?? ''} hasVersions={versions.length > 0} />}
      {versions.length > 0 && <Timeline versions={versions} details={details} reload={reload} />}
      <NextVersion slug={space.slug} isFirst={versions.length === 0} />
    </div>
  );
}

function Elsewhere({ url, hasVersions }: { url: string; hasVersions: boolean }) {
  return (
    <Notice>
      This space runs at <a href={url}>{parseUrl(url)?.host}</a>, not here.{' '}
      {hasVersions
        ? 'Its versions from before the move can be previewed. Publish one for production, and it is hosted here again.'
        : 'Publish a version for production, and it is hosted here instead.'}
    </Notice>
  );
}

const listedAtMost = 100;

function Timeline({ versions, details, reload }: VersionList & { reload: () => void }) {
  const [newest] = versions;
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const byItself = openByItself(versions)?.id ?? null;
  const open = chosen === undefined ? byItself : chosen;
  const live = versions.find((version) => version.live) ?? null;
  return (
    <section aria-labelledby="versions-title">
      <h2 id="versions-title" className="said">
        Versions
      </h2>
      <ol className="timeline" reversed>
        {versions.map((version) => (
          <VersionItem
            key={version.id}
            version={version}
            live={live}
            others={versions.filter(({ id, status }) => id !== version.id && status !== 'uploading')}
            isOpen={open === version.id}
            details={version.id === newest?.id ? details : null}
            onToggle={() => setChosen(open === version.id ? null : version.id)}
            onChanged={reload}
          />
        ))}
      </ol>
      {versions.length >= listedAtMost && (
        <p className="quiet small">The last {listedAtMost} versions are listed.</p>
      )}
    </section>
  );
}
