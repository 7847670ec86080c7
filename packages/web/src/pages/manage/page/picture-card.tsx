import { isFrozen } from '@spaceport/contract/frozen';
import { useEffect, useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Picture } from '../../../ui/space-card.tsx';
import { Card, Notice, Progress } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { CoverButtons } from './cover-buttons.tsx';
import { Takes } from './takes.tsx';

const lookAgainMs = 2_000;
/** A busy service may take longer than a person waits. Then it is asked less often. */
const patientMs = 120_000;
const lookLateMs = 20_000;

/** The picture of a space, and a new one. */
export function PictureCard() {
  const { space, reload } = useOwnSpace();
  const [awaited, setAwaited] = useState<{ take: number; since: number } | null>(null);
  const [isLate, setLate] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [afterSeconds, setAfterSeconds] = useState<number | null>(null);
  const { run, busy, failure } = useAction(async () => {
    const body = { slug: space.slug, ...(afterSeconds === null ? {} : { after_seconds: afterSeconds }) };
    const { take } = await client.recaptureSpace({ body });
    setLate(false);
    setAwaited({ take, since: Date.now() });
  });

  useEffect(() => {
    if (awaited === null) return;
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'hidden') return;
        reload().then(
          (read) => {
            if ((read.space.clip?.take ?? 0) >= awaited.take) {
              setAwaited(null);
              setLate(false);
            } else if (Date.now() - awaited.since > patientMs) setLate(true);
          },
          () => {
            // Errors are ignored, because the next poll may succeed.
          },
        );
      },
      isLate ? lookLateMs : lookAgainMs,
    );
    return () => clearInterval(timer);
  }, [awaited, isLate, reload]);

  const isTaking = awaited !== null && !isLate;
  const { clip, state, hosted, live_version } = space;
  const hasNothing = hosted && live_version === null;
  return (
    <Card title="Picture">
      <div className="stack">
        <div className="page-picture" aria-busy={isTaking}>
          <Picture space={space} />
        </div>
        {isTaking && (
          <div className="stack stack--tight" role="status">
            <Progress value={null} label="Taking a picture" />
            <p className="small quiet">Opening the space and taking picture {awaited.take}…</p>
          </div>
        )}
        {!isTaking && (
          <p className="small quiet">
            {state !== 'listed' ? (
              'Nobody can open the space now, so its picture is not shown.'
            ) : clip === null ? (
              hasNothing ? (
                'It is taken when a version goes live.'
              ) : (
                'None was taken yet.'
              )
            ) : (
              <>
                Taken <TimeAgo at={clip.taken_at} />. A new one is taken with every version that goes live.
              </>
            )}
          </p>
        )}
        {isLate && (
          <Notice tone="warn">
            It takes longer than usual: many may wait. The new picture appears by itself when it is there.
          </Notice>
        )}
        <FailureNotice failure={failure} />
        {!isFrozen(space) && <CoverButtons />}
        {!hasNothing && !isFrozen(space) && (
          <>
            <details onToggle={({ currentTarget }) => setChoosing(currentTarget.open)}>
              <summary>Another moment, or an earlier picture</summary>
              {isChoosing && <Takes afterSeconds={afterSeconds} onAfterSeconds={setAfterSeconds} />}
            </details>
            <div>
              <Button variant="plain" icon="restart" busy={busy || isTaking} onClick={run}>
                Take a new picture
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
