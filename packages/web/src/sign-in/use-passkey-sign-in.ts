import { useEffect, useRef, useState } from 'preact/compat';
import { canUsePasskeys, explainPasskey, offerPasskeys, signInByPasskey } from '../data/passkeys.ts';

/** The offer is renewed at this interval, because the service deletes a challenge after five minutes. */
const offerAgainMs = 4 * 60_000;

/** Signs in by passkey: from the browser's autofill, or by a button. */
export function usePasskeySignIn(onDone: () => unknown) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const latest = useRef(onDone);
  latest.current = onDone;
  const offering = useRef<AbortController | null>(null);
  const isPressed = useRef(false);

  /** Only one offer at a time, because a browser refuses a second. */
  const offer = useRef(() => {
    offering.current?.abort();
    const ending = new AbortController();
    offering.current = ending;
    offerPasskeys(ending.signal).then(
      (used) => used && latest.current(),
      (error: unknown) => setFailure(explainPasskey(error)),
    );
  });

  useEffect(() => {
    if (!canUsePasskeys()) return;
    offer.current();
    // A browser takes no second request while a pressed button waits for the first.
    const timer = setInterval(() => isPressed.current || offer.current(), offerAgainMs);
    return () => {
      clearInterval(timer);
      offering.current?.abort();
    };
  }, []);

  const press = async () => {
    offering.current?.abort();
    isPressed.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await signInByPasskey();
      await onDone();
    } catch (error) {
      setFailure(explainPasskey(error));
      isPressed.current = false;
      setBusy(false);
      offer.current();
    }
  };
  return { busy, failure, press: () => void press(), forget: () => setFailure(null) };
}
