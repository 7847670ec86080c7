/** Strokes on a grid of 24; the shapes follow Lucide's (ISC). */
const shapes = {
  alert:
    'M12 9v4M12 17h.01M10.300 3.900 1.800 18a2 2 0 0 0 1.700 3h17a2 2 0 0 0 1.700-3L13.700 3.900a2 2 0 0 0-3.400 0Z',
  'arrow-right': 'M5 12h14M13 6l6 6-6 6',
  check: 'M20 6 9 17l-5-5',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2',
  close: 'M18 6 6 18M6 6l12 12',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  copy: 'M9 9h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2V9ZM5 15a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2',
  device: 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2ZM11 18h2',
  drop: 'M12 15V3M7 8l5-5 5 5M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',
  edit: 'M17 3a2.800 2.800 0 1 1 4 4L7.500 20.500 2 22l1.500-5.500L17 3Z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  flag: 'M4 22V4s1-1 4-1 5 2 8 2 4-1 4-1v11s-1 1-4 1-5-2-8-2-4 1-4 1',
  fullscreen:
    'M8 3H5a2 2 0 0 0-2 2v3M16 3h3a2 2 0 0 1 2 2v3M8 21H5a2 2 0 0 1-2-2v-3M16 21h3a2 2 0 0 0 2-2v-3',
  key: 'M21 2l-2 2m-7.600 7.600a5.500 5.500 0 1 1-7.800 7.800 5.500 5.500 0 0 1 7.800-7.800Zm0 0L15.500 7.500m0 0 3 3L22 7l-3-3m-3.500 3.500L19 4',
  lock: 'M6 11h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM8 11V7a4 4 0 0 1 8 0v4',
  more: 'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM19 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  muted: 'M11 5 6 9H2v6h4l5 4V5ZM22 9l-6 6M16 9l6 6',
  play: 'M7 4v16l13-8L7 4Z',
  plus: 'M12 5v14M5 12h14',
  restart: 'M3 12a9 9 0 1 0 3-6.700L3 8M3 3v5h5',
  search: 'M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM21 21l-4.300-4.300',
  share:
    'M18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.600 13.500l6.800 4M15.400 6.500l-6.800 4',
  sound: 'M11 5 6 9H2v6h4l5 4V5ZM15.500 8.500a5 5 0 0 1 0 7M19 5a10 10 0 0 1 0 14',
  spark: 'M12 3l2 6 6 3-6 3-2 6-2-6-6-3 6-3 2-6Z',
  terminal: 'm4 17 6-5-6-5M12 19h8',
  trash: 'M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M19 6l-1 14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2L5 6',
  trophy: 'M8 21h8M12 17v4M7 4h10v5a5 5 0 0 1-10 0V4ZM7 6H4a3 3 0 0 0 3.500 5M17 6h3a3 3 0 0 1-3.500 5',
} as const;

export type IconName = keyof typeof shapes;

/** An icon beside a text with the same meaning, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
