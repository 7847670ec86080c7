import type { PageName } from '@spaceport/contract/first-data';
import type { ComponentType } from 'react';
import type { AnyPage } from './pages.ts';

/** Every page at once: what a server draws from. A browser loads the one that it shows (pages.ts). */
const modules = import.meta.glob<ComponentType<AnyPage>>('../pages/*/*.page.tsx', {
  eager: true,
  import: 'default',
});

export const allPages = Object.fromEntries(
  Object.entries(modules).map(([path, page]) => [path.split('/')[2], page]),
) as Readonly<Record<PageName, ComponentType<AnyPage>>>;
