import { storageProbe } from '@spaceport/contract/storage-probe';
import { useEffect, useState } from 'preact/compat';
import { LinkButton } from './button.tsx';
import { Notice } from './surfaces.tsx';

/**
 * Returns whether the browser refuses storage to frames of this origin, as many do for other sites. A page of
 * ours on that origin finds out, in a hidden frame. Returns false until it is known, and for null.
 */
export function useRefusedStorage(address: string | null): boolean {
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (address === null) return;
    const { origin } = new URL(address);
    const probe = document.createElement('iframe');
    probe.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    probe.src = origin + storageProbe.path;
    // In a separate root, so that no code of the page takes it for the game.
    const place = document.createElement('div');
    place.hidden = true;
    place.attachShadow({ mode: 'closed' }).append(probe);
    const hear = ({ source, origin: from, data }: MessageEvent) => {
      if (source !== probe.contentWindow || from !== origin) return;
      setRefused(data === storageProbe.refused);
      place.remove();
    };
    addEventListener('message', hear);
    document.body.append(place);
    return () => {
      removeEventListener('message', hear);
      place.remove();
    };
  }, [address]);
  return isRefused;
}

/** Explains the refused storage to the player, and how to avoid it. */
export function RefusedStorage({ address }: { address: string }) {
  return (
    <Notice
      tone="warn"
      actions={
        <LinkButton
          size="small"
          variant="plain"
          icon="external"
          href={address}
          target="_blank"
          rel="noopener"
        >
          Open in its own tab
        </LinkButton>
      }
    >
      <strong>Your browser gives it no storage here.</strong> It may not start, and forgets how far you got.
      In a tab of its own it has storage.
    </Notice>
  );
}
