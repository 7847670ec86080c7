import { maxClipAfterSeconds } from '@spaceport/contract/listing';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { type Options, Select } from '../../../ui/field.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Skeleton } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { useOwnSpace } from '../own-space.tsx';

const moments: Options = [
  ['0', 'As soon as something is to be seen'],
  ...[2, 5, 10, maxClipAfterSeconds].map(
    (seconds) => [String(seconds), `${seconds} seconds after it has loaded`] as const,
  ),
];

/** For a picture that shows too little: choose an earlier one, or another moment for the next one. */
export function Takes({
  afterSeconds,
  onAfterSeconds,
}: {
  /** The chosen second; null for the space's own setting. */
  afterSeconds: number | null;
  onAfterSeconds: (seconds: number) => void;
}) {
  const { space, reload } = useOwnSpace();
  const params = { slug: space.slug };
  const { value, error, ...loaded } = useLoad(`${space.slug} ${space.clip?.take}`, (signal) =>
    client.readTakes({ params }, { signal }),
  );
  const { run, busy, failure } = useAction(async (take: number) => {
    await client.chooseCover({ params, body: { take } });
    await reload();
  });
  if (value === null)
    return error === null ? <Skeleton height={8} /> : <ErrorState error={error} retry={loaded.reload} />;
  const chosen = String(afterSeconds ?? value.after_seconds);
  const isKnown = moments.some(([seconds]) => seconds === chosen);
  return (
    <div className="stack stack--tight">
      <Select
        label="When the next one is taken"
        hint="Later versions are taken at the same moment."
        options={isKnown ? moments : [...moments, [chosen, `${chosen} seconds after it has loaded`]]}
        value={chosen}
        onChange={({ currentTarget }) => onAfterSeconds(Number(currentTarget.value))}
      />
      <FailureNotice failure={failure} />
      {space.state === 'listed' && value.takes.length > 0 && (
        <ul className="takes">
          {value.takes.map(({ take, url, width, height, taken_at }) => (
            <li key={take} className="stack stack--tight">
              <img
                src={url.replace(/\.webp$/u, '-small.webp')}
                alt={`${space.title}, taken as number ${take}`}
                width={width}
                height={height}
              />
              <span className="small quiet">
                <TimeAgo at={taken_at} />
              </span>
              <Button size="small" variant="plain" busy={busy} onClick={() => run(take)}>
                Show picture {take}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
