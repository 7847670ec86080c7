/** The accent colour of a space's page, adapted to be readable on light and on dark. */
export interface ReadableAccent {
  readonly light: string;
  readonly dark: string;
  /** Colour of text on the accent. */
  readonly onLight: string;
  readonly onDark: string;
  /** WCAG 2.2 contrast of the chosen colour with the light and the dark ground. */
  readonly contrastOnLight: number;
  readonly contrastOnDark: number;
}

/** The grounds of tokens.css. */
export const lightGround = '#f8f7f4';
export const darkGround = '#0f1014';
/** The contrast that text needs (WCAG 2.2, 1.4.3). */
export const enoughContrast = 4.5;

/** Darkens or lightens a colour (`#rrggbb`) step by step until it is readable on each ground. */
export function readableAccent(colour: string): ReadableAccent {
  const light = towards(colour, '#000000', lightGround);
  const dark = towards(colour, '#ffffff', darkGround);
  return {
    light,
    dark,
    // Text in the colour of the ground is readable on a colour with enough contrast to the ground.
    onLight: '#ffffff',
    onDark: darkGround,
    contrastOnLight: contrast(colour, lightGround),
    contrastOnDark: contrast(colour, darkGround),
  };
}

function towards(colour: string, end: string, ground: string): string {
  for (let step = 0; step <= 20; step++) {
    const mixed = mix(colour, end, step / 20);
    if (contrast(mixed, ground) >= enoughContrast) return mixed;
  }
  return end;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function mix(colour: string, end: string, part: number): string {
  const to = channels(end);
  const mixed = channels(colour).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
