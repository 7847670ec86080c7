/** What the frame lets a game do in which players have it. The safety check opens games in the same one. */
export const gameFrame = {
  sandbox:
    'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-orientation-lock allow-downloads',
  allow:
    'fullscreen; gamepad; autoplay; accelerometer; gyroscope; xr-spatial-tracking; screen-wake-lock; clipboard-write; cross-origin-isolated',
} as const;
