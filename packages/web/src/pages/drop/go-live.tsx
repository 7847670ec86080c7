import { goLive } from '@spaceport/client/go-live';
import type { PublishProgress } from '@spaceport/client/progress';
import type { PublishResult } from '@spaceport/client/publish';
import { useEffect, useRef, useState } from 'preact/compat';
import { patientClient } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card, Notice, Progress } from '../../ui/surfaces.tsx';
import { describeFailure } from './describe-failure.ts';
import { DropFailure } from './drop-failure.tsx';

type Preview = Pick<PublishResult, 'version' | 'space'>;

const waits: Partial<Record<PublishProgress['phase'], string>> = {
  queued: 'Other versions of yours are checked first.',
  checking: 'The safety check looks at its files and opens it in a browser. It usually takes a minute.',
};

/** Makes a preview live: shows the running safety check, and its outcome. */
export function GoLive({ result: { version, space }, title }: { result: Preview; title: string }) {
  const [progress, setProgress] = useState<PublishProgress | null>(null);
  const [outcome, setOutcome] = useState<PublishResult | null>(null);
  const ending = useRef(new AbortController());
  // Whoever goes on to another version does not wait for this one any more. It goes live all the same.
  useEffect(() => () => ending.current.abort(), []);
  const { run, busy, error } = useAction(async () => {
    setProgress(null);
    const options = { onProgress: setProgress, signal: ending.current.signal };
    setOutcome(await goLive(patientClient, { versionId: version.id, space: space.slug }, options));
  });
  if (outcome) return <Outcome result={outcome} />;
  return (
    <Card title="Show it to everyone">
      <div className="stack">
        {!busy ? (
          <p className="quiet">{title} goes live when it passes the safety check. Nothing is sent again.</p>
        ) : (
          <div className="stack stack--tight">
            <Progress value={null} label="Going live" />
            <p className="quiet" role="status">
              {(progress && waits[progress.phase]) ?? 'Asking for the safety check…'}
            </p>
          </div>
        )}
        {error !== null && <DropFailure failure={describeFailure(error)} onRetry={run} />}
        <div className="row">
          <Button busy={busy} onClick={run}>
            Go live
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** Shows the outcome of the safety check, and what to do about it. */
export function Outcome({ result }: { result: PublishResult }) {
  const { outcome, pageUrl, reason, report, space } = result;
  if (outcome === 'live')
    return (
      <Notice
        tone="good"
        actions={
          <LinkButton size="small" href={pageUrl}>
            Go to its page
          </LinkButton>
        }
      >
        <strong>It is live.</strong> Everyone can see it now.
      </Notice>
    );
  const manage = (
    <LinkButton size="small" variant="plain" href={`/dashboard/${space.slug}`}>
      {outcome === 'stopped' ? 'Manage the space' : 'Look at the report'}
    </LinkButton>
  );
  return (
    <Notice tone={outcome === 'refused' ? 'bad' : 'warn'} actions={manage}>
      <p>
        <strong>{headings[outcome]}</strong> {reason}
      </p>
      <ul className="drop-lines">
        {report?.findings.map(({ rule, path, message, fix }) => (
          <li key={`${rule} ${path} ${message}`}>
            {path === undefined ? message : `${path}: ${message}`} {fix}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const headings: Readonly<Record<Exclude<PublishResult['outcome'], 'live'>, string>> = {
  preview: 'It is a preview.',
  checking: 'It is being checked.',
  refused: 'The safety check refused it.',
  unjudged: 'The safety check could not decide.',
  stopped: 'It was not checked.',
};
