import { type FrameState, frameNamePrefix } from '@spaceport/contract/sdk-protocol';

/**
 * What the page wrote into the frame's name, which is cleared: the page's own scripts never see it. Null where there is
 * nothing of ours, and the name stays.
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
      // The server that drew the frame knows neither.
      locale: locale ?? navigator.language,
      muted: muted === true,
      ...(kept !== undefined && { kept }),
      ...(session && { session }),
      ...(untold && { untold }),
    };
  } catch {
    return null;
  }
}

/** For the next page of the space in this frame. A name that the space gave itself is left alone. */
export function putFrameName(
  frame: Pick<Window, 'name'>,
  { env, player, locale, muted }: FrameState,
  storage: Pick<FrameState, 'kept' | 'session' | 'untold'> = {},
): void {
  if (frame.name === '' || frame.name.startsWith(frameNamePrefix))
    frame.name = frameNamePrefix + JSON.stringify({ env, player, locale, muted, ...storage });
}
