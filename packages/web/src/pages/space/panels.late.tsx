import { lazy } from 'preact/compat';
import { tellMissingPart } from './missing-dialog.tsx';

/**
 * The panels in a script of their own, for which the stage does not wait. If it does not come, they stay as they
 * are in the document, and the game goes on.
 */
export const Panels = lazy(() =>
  import('./panels.tsx').then(
    ({ Panels: Shown }) => ({ default: Shown }),
    () => {
      tellMissingPart();
      return new Promise<never>(() => {});
    },
  ),
);
