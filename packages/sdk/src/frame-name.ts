import { browserLocale } from '@spaceport/contract/browser-locale';
import { type FrameState, frameNamePrefix } from '@spaceport/contract/sdk-protocol';

/**
 * Reads the state that the page wrote into the frame's name, and clears the name, so that the space's own
 * scripts never see it. Returns null, and keeps the name, if the name is not ours.
 */
export function takeFrameName(frame: Pick<Window, 'name'>): FrameState | null {
  const { name } = frame;
  if (!name.startsWith(frameNamePrefix)) return null;
  frame.name = '';
  try {
    const { env, player, locale, muted, kept, session, untold } = JSON.parse(
      name.slice(frameNamePrefix.length),
    );
    const { id, handle, guest } = player;
    return {
      env,
      player: { id, handle, guest },
      // A server-rendered frame's name lacks both, because only the browser knows them.
      locale: locale ?? browserLocale(navigator),
      muted: muted === true,
      ...(kept !== undefined && { kept }),
      ...(session && { session }),
      ...(untold && { untold }),
    };
  } catch {
    return null;
  }
}

/** Writes the frame's name for the space's next page in this frame. A name that the space has set is kept. */
export function putFrameName(
  frame: Pick<Window, 'name'>,
  { env, player, locale, muted }: FrameState,
  storage: Pick<FrameState, 'kept' | 'session' | 'untold'> = {},
): void {
  if (frame.name === '' || frame.name.startsWith(frameNamePrefix))
    frame.name = frameNamePrefix + JSON.stringify({ env, player, locale, muted, ...storage });
}
