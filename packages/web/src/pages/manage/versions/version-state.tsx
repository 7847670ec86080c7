import type { VersionListEntry } from '@spaceport/contract/versions';
import { Badge } from '../../../ui/text.tsx';

/** The state of a version for its creator. */
export type Standing =
  | 'live'
  | 'was-live'
  | 'preview'
  | 'checking'
  | 'stopped'
  | 'refused'
  | 'unjudged'
  | 'uploading';

export function standingOf({ status, live, reason }: VersionListEntry): Standing {
  if (status === 'live') return live ? 'live' : 'was-live';
  // A check that ended without a verdict has a reason; a running check has none.
  if (status === 'checking') return reason === undefined ? 'checking' : 'stopped';
  return status;
}

const badges: Readonly<
  Record<Standing, { tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad'; text: string }>
> = {
  live: { tone: 'good', text: 'Live' },
  'was-live': { tone: 'neutral', text: 'Was live' },
  preview: { tone: 'accent', text: 'Preview' },
  checking: { tone: 'accent', text: 'Checking' },
  stopped: { tone: 'warn', text: 'Check stopped' },
  refused: { tone: 'bad', text: 'Refused' },
  unjudged: { tone: 'warn', text: 'Not judged' },
  uploading: { tone: 'neutral', text: 'Uploading' },
};

export function StandingBadge({ standing }: { standing: Standing }) {
  const { tone, text } = badges[standing];
  return (
    <Badge tone={tone} live={standing === 'live'}>
      {standing === 'checking' && <span className="spinner" aria-hidden="true" />}
      {text}
    </Badge>
  );
}

/** Explanations of the states that need one. */
export const meanings: Readonly<Partial<Record<Standing, string>>> = {
  checking: 'The safety check looks at the files and opens the page. It takes from seconds to a minute.',
  stopped: 'The check ended without a verdict. Check it again as a new version.',
  refused: 'The safety check found something harmful. Fix it and publish again, or ask a person to look.',
  unjudged: 'The safety check could not decide. Check it again, or ask a person to look.',
};
