import type { PageName } from '@spaceport/contract/first-data';
import type { ComponentType } from 'preact/compat';
import type { AnyPage } from './pages.ts';

/** All pages, for the server's renderer. A browser loads only the page that it shows (build/page-entries.ts). */
const modules = import.meta.glob<ComponentType<AnyPage>>('../pages/*/*.page.tsx', {
  eager: true,
  import: 'default',
});

export const allPages = Object.fromEntries(
  Object.entries(modules).map(([path, page]) => [path.split('/')[2], page]),
) as Readonly<Record<PageName, ComponentType<AnyPage>>>;
