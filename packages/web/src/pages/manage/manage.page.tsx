import { lazy, Suspense, useEffect, useRef, useState } from 'preact/compat';
import { useQueryValue, useTitle } from '../../app/address.ts';
import type { PageProps } from '../../app/pages.ts';
import { reloadOnce } from '../../app/stale-page.ts';
import { useHydrated } from '../../app/use-hydrated.ts';
import { ShownContext } from '../../app/use-shown.ts';
import { Main, ScriptNeeded } from '../../ui/surfaces.tsx';
import { Head } from './head.tsx';
import './manage.css';
import { OwnSpaceProvider, useOwnSpace } from './own-space.tsx';
import { SectionSkeleton } from './section.tsx';

const sections = {
  versions: {
    label: 'Versions',
    Section: lazy(() => import('./versions/versions.section.tsx').catch(reloadOnce)),
  },
  page: { label: 'Page', Section: lazy(() => import('./page/page.section.tsx').catch(reloadOnce)) },
  boards: {
    label: 'Boards & achievements',
    Section: lazy(() => import('./boards/boards.section.tsx').catch(reloadOnce)),
  },
  players: {
    label: 'Players',
    Section: lazy(() => import('./players/players.section.tsx').catch(reloadOnce)),
  },
  activity: {
    label: 'Activity',
    Section: lazy(() => import('./activity/activity.section.tsx').catch(reloadOnce)),
  },
  health: {
    label: 'Health',
    Section: lazy(() => import('./health/health.section.tsx').catch(reloadOnce)),
  },
  webhooks: {
    label: 'Webhooks',
    Section: lazy(() => import('./webhooks/webhooks.section.tsx').catch(reloadOnce)),
  },
  domain: {
    label: 'Host name',
    Section: lazy(() => import('./domain/domain.section.tsx').catch(reloadOnce)),
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
