import { type JSX, Suspense, useEffect, useRef, useState } from 'preact/compat';
import { useQueryValue, useTitle } from '../../app/address.ts';
import { lazyPart } from '../../app/lazy-part.tsx';
import type { PageProps } from '../../app/pages.ts';
import { useHydrated } from '../../app/use-hydrated.ts';
import { ShownContext } from '../../app/use-shown.ts';
import { Main, ScriptNeeded } from '../../ui/surfaces.tsx';
import { Head } from './head.tsx';
import './manage.css';
import { MissingSection } from './missing-section.tsx';
import { OwnSpaceProvider, useOwnSpace } from './own-space.tsx';
import { SectionSkeleton } from './section.tsx';

const section = (load: () => Promise<{ default: () => JSX.Element }>) => lazyPart(load, MissingSection);

const sections = {
  versions: {
    label: 'Versions',
    Section: section(() => import('./versions/versions.section.tsx')),
  },
  page: { label: 'Page', Section: section(() => import('./page/page.section.tsx')) },
  boards: {
    label: 'Boards & achievements',
    Section: section(() => import('./boards/boards.section.tsx')),
  },
  players: {
    label: 'Players',
    Section: section(() => import('./players/players.section.tsx')),
  },
  activity: {
    label: 'Activity',
    Section: section(() => import('./activity/activity.section.tsx')),
  },
  health: {
    label: 'Health',
    Section: section(() => import('./health/health.section.tsx')),
  },
  webhooks: {
    label: 'Webhooks',
    Section: section(() => import('./webhooks/webhooks.section.tsx')),
  },
  domain: {
    label: 'Host name',
    Section: section(() => import('./domain/domain.section.tsx')),
  },
} as const;
type SectionName = keyof typeof sections;
// The keys of the object literal above.
const everySection = Object.keys(sections) as SectionName[];

/** /dashboard/{slug}: everything about one space of the viewer's. */
export default function ManagePage({ data }: PageProps<'manage'>) {
  return (
    <OwnSpaceProvider first={data}>
      <Main>
        <Head />
        <ScriptNeeded>
          Managing a space here needs JavaScript. The <code>spaceport</code> command and{' '}
          <a href="/docs/api">the API</a> work without it.
        </ScriptNeeded>
        <Sections />
      </Main>
    </OwnSpaceProvider>
  );
}

function Sections() {
  const { space, domain } = useOwnSpace();
  const names = everySection.filter((name) => name !== 'domain' || domain !== null);
  const isHydrated = useHydrated();
  const [asked, go] = useQueryValue('section', 'versions');
  const current = names.find((name) => name === asked) ?? 'versions';
  // An opened section stays mounted, so that it keeps typed values.
  const [opened, setOpened] = useState<readonly SectionName[]>([]);
  if (!opened.includes(current)) setOpened([...opened, current]);
  useTitle(`${space.title}: ${sections[current].label}`);
  const tabs = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the screen, so the open tab is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another one is open
  useEffect(() => {
    const open = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (tabs.current && open) tabs.current.scrollLeft = open.offsetLeft - tabs.current.offsetWidth / 3;
  }, [current]);
  const follow = (event: MouseEvent, name: SectionName) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(name);
  };
  return (
    <div className="manage">
      <nav ref={tabs} className="tabs manage-tabs" aria-label="Sections">
        {names.map((name) => (
          <a
            key={name}
            href={name === 'versions' ? `/dashboard/${space.slug}` : `?section=${name}`}
            aria-current={name === current ? 'page' : undefined}
            onClick={(event) => follow(event, name)}
          >
            {sections[name].label}
          </a>
        ))}
      </nav>
      {!isHydrated && <SectionSkeleton />}
      {(isHydrated ? opened : []).map((name) => {
        const { Section } = sections[name];
        return (
          <div key={name} hidden={name !== current}>
            <ShownContext value={name === current}>
              <Suspense fallback={<SectionSkeleton />}>
                <Section />
              </Suspense>
            </ShownContext>
          </div>
        );
      })}
    </div>
  );
}
