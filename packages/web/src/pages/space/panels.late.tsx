import { lazy } from 'preact/compat';
import { reloadOnce } from '../../app/stale-page.ts';

/** The panels in a script of their own, for which the stage does not wait. */
export const Panels = lazy(() =>
  import('./panels.tsx').then(({ Panels: Shown }) => ({ default: Shown }), reloadOnce),
);
