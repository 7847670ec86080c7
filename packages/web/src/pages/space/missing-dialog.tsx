import { useEffect } from 'preact/compat';
import { needsNewDocument } from '../../app/stale-page.ts';
import { missingPart, noAnswer } from '../../ui/plain-errors.ts';
import { showOffer, showToast } from '../../ui/toast.tsx';

/** Takes the place of a dialog whose script could not be loaded: says so, and lets the game go on. */
export function MissingDialog({ onClose }: { onClose: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    onClose();
    tellMissingPart();
  }, []);
  return null;
}

/** Says that a part of the page could not be loaded. A new document would end the game, so it is only offered. */
export function tellMissingPart(): void {
  void needsNewDocument().then((isNeeded) => {
    if (!isNeeded) return showToast(noAnswer, 'bad');
    const load = () => location.reload();
    showOffer(missingPart, { label: 'Load the page again', run: load }, { stays: true });
  });
}
