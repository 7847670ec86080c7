import type { PublicSpace } from '@spaceport/contract/gallery';
import { deviceLabels, spaceTypeLabels } from '@spaceport/contract/labels';
import { parseUrl } from '@spaceport/contract/parse-url';
import type { ReactNode } from 'preact/compat';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { TagLinks } from '../../ui/tags.tsx';
import { Num, TimeAgo } from '../../ui/text.tsx';

/** Facts about a space, one per line; unknown ones are left out. */
export function Facts({ space, isPublished }: { space: PublicSpace; isPublished: boolean }) {
  const { engine, ai_tools, models, page, source_url } = space;
  const showsMaking = page.show_how_made;
  return (
    <Card>
      <dl className="facts">
        <Fact name="Type">{spaceTypeLabels[space.space_type].one}</Fact>
        <Fact name="Made for">{space.devices.map((device) => deviceLabels[device]).join(', ')}</Fact>
        {space.tags.length > 0 && (
          <Fact name="Tags">
            <TagLinks tags={space.tags} />
          </Fact>
        )}
        {showsMaking && engine && <Fact name="Engine">{engine}</Fact>}
        {showsMaking && ai_tools.length > 0 && <Fact name="AI tools">{ai_tools.join(', ')}</Fact>}
        {showsMaking && models.length > 0 && <Fact name="Models">{models.join(', ')}</Fact>}
        {space.plays > 0 && (
          <Fact name="Played">
            <Num value={space.plays} short /> {space.plays === 1 ? 'time' : 'times'}
          </Fact>
        )}
        {isPublished && (
          <Fact name="Published">
            <TimeAgo at={space.created_at} />
          </Fact>
        )}
      </dl>
      <Links
        links={[...page.links, ...(source_url === null ? [] : [{ label: 'Source code', url: source_url }])]}
      />
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The creator's links. Each shows its host, because it leads to another site. */
function Links({ links }: { links: readonly { label: string; url: string }[] }) {
  const safe = links.filter(({ url }) => /^https?:$/u.test(parseUrl(url)?.protocol ?? ''));
  if (safe.length === 0) return null;
  return (
    <ul className="space-links">
      {safe.map(({ label, url }) => (
        <li key={`${label} ${url}`}>
          <a href={url} rel="noopener nofollow ugc" title={url}>
            <Icon name="external" />
            {label}
          </a>
          <span className="quiet small">{new URL(url).host}</span>
        </li>
      ))}
    </ul>
  );
}
