/** Maps the service's message about a field to a sentence that says what to enter. */

type Words = readonly [path: RegExp, said: RegExp, sentence: string | ((...said: string[]) => string)];

const anything = /^(?:must|is missing)/u;

// The first match counts. Paths are without indexes: `boards.0.key` is `boards.key`.
const words: readonly Words[] = [
  [/./u, /control characters|invisible characters/u, 'Take out the characters that cannot be seen.'],
  [/./u, /twice|repeat/u, 'Something is there twice. Take one out.'],
  [/(?:^|\.)title$/u, anything, 'Write a title of 1 to 80 characters.'],
  [/space_type$/u, anything, 'Choose what it is.'],
  [/devices$/u, anything, 'Choose at least one device that it is made for.'],
  [/icon$/u, anything, 'Write an address that starts with https, https://example.com/icon.png for example.'],
  [
    /url$/u,
    /http or https address$|http or https address;|text|missing/u,
    'Write a whole address, https://example.com/ for example.',
  ],
  [
    /(?:^|\.)host$/u,
    /^must be a host name such as/u,
    'Write a name such as games.example.org, without https:// and without a path.',
  ],
  [/links\.label$/u, anything, 'Write a label of 1 to 40 characters.'],
  [/(?:^|\.)label$/u, anything, 'Write 1 to 80 characters.'],
  [
    /(?:^|\.)key$/u,
    anything,
    'Start with a small letter from a to z; then a to z, 0 to 9, _ and -, 40 characters at most.',
  ],
  [/unit$/u, anything, 'Write at most 20 characters.'],
  [/decimals$/u, anything, 'Write a whole number from 0 to 6.'],
  [/min_seconds$/u, anything, 'Write a whole number from 1 to 86,400.'],
  [/max_per_second$/u, anything, 'Write a number over 0.'],
  [/points$/u, anything, 'Write a whole number from 0 to 1,000.'],
  [/(?:^|\.)min$/u, /over max/u, 'Write a number that is at most the greatest possible score.'],
  [/(?:^|\.)(?:min|max|atLeast)$/u, anything, 'Write a number of at most 16 digits.'],
  [/periods$/u, anything, 'Choose at least one ranking.'],
  [/trigger\.stat$/u, anything, 'Choose a stat, or «The game itself».'],
  [/accent$/u, anything, 'Write a colour like #1a2b3c, or leave it empty.'],
  [/tags$/u, anything, 'At most 8 tags, each of 2 to 24 small letters, digits and hyphens.'],
  [/(?:ai_tools|models)$/u, anything, 'At most 10 names of at most 60 characters each.'],
  [
    /(?:handle|player|around)$/u,
    /^must be a handle|^must be 3 to 24|missing/u,
    'Write a handle: 3 to 24 of a–z, 0–9 and _, starting with a letter.',
  ],
  [/email$/u, /e-mail address|^must|missing/u, 'Write a whole e-mail address, such as ada@example.org.'],
  [
    /(?:^|\.)name$/u,
    /^must be (\d+) to (\d+) characters/u,
    (least, most) => `Write a name of ${least} to ${most} characters.`,
  ],
  [/(?:^|\.)name$/u, anything, 'Write a name.'],
  [/scopes$/u, anything, 'Tick at least one thing that it may do.'],
  [/(?:^|\.)code$/u, /invitation/u, 'Write the code that you were invited with.'],
  [/user_code$/u, anything, 'Write the eight letters as they are shown: WDJB-MJHT.'],
  [/./u, /^must be one of/u, 'Choose one of those that are offered.'],
  [/./u, /^(?:is missing|must not be empty)/u, 'Fill this in.'],
];

/** Returns a sentence that says what to enter in a field. `said` is the service's message. */
export function fieldSentence(path: string, said: string): string {
  const plain = withoutNumbers(path);
  for (const [at, when, sentence] of words) {
    const match = at.test(plain) && when.exec(said);
    if (match) return typeof sentence === 'string' ? sentence : sentence(...match.slice(1));
  }
  return `It ${said.replace(/\.$/u, '')}.`;
}

const labels: Readonly<Record<string, string>> = {
  space_type: 'Type',
  devices: 'Devices',
  ai_tools: 'AI tools',
  how_made: 'How it was made',
  source_url: 'Source code',
  url: 'Address',
  host: 'Host name',
  accent: 'Colour',
  min: 'Least possible score',
  max: 'Greatest possible score',
  periods: 'Rankings',
  atLeast: 'When the stat reaches',
  stat: 'Unlocked by',
  client_name: 'Name',
  user_code: 'Code',
};

const entries: Readonly<Record<string, string>> = {
  boards: 'board',
  stats: 'stat',
  achievements: 'achievement',
  links: 'link',
  files: 'file',
  scores: 'score',
};

/** Returns the label of a field: `boards.1.sort` is the sort of the second board. */
export function fieldLabel(path: string): string {
  const parts = path.split('.').filter((part) => part !== 'fields' && part !== 'page');
  const at = parts.findIndex((part) => /^\d+$/u.test(part));
  const last = parts.findLast((part) => !/^\d+$/u.test(part)) ?? '';
  const label = labels[last] ?? last.replaceAll('_', ' ');
  const entry = at > 0 ? entries[parts[at - 1] ?? ''] : undefined;
  const whole = entry && at < parts.length - 1 ? `${label} of ${entry} ${Number(parts[at]) + 1}` : label;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}`;
}

function withoutNumbers(path: string): string {
  return path
    .split('.')
    .filter((part) => !/^\d+$/u.test(part))
    .join('.');
}
