import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { formatScore } from '../../../ui/score.ts';
import { Table } from '../../../ui/table.tsx';
import { Bytes, TimeAgo } from '../../../ui/text.tsx';
import type { ShownEntries } from './shown-entries.ts';

/** The replays of the best scores of a board. Renders nothing if there are none. */
export function Replays({ asked: { slug, board, sandbox } }: { asked: ShownEntries }) {
  const { value, error, reload } = useLoad(`${board.key} ${sandbox}`, (signal) =>
    client.readReplays(
      { params: { slug, key: board.key }, query: { sandbox: sandbox ? 'true' : 'false' } },
      { signal },
    ),
  );
  const download = useAction(async (id: number) => {
    const replay = await client.readReplay({ params: { slug, id } });
    keepFile(`replay-${board.key}-${id}.json`, JSON.stringify(replay, null, 2));
  });
  if (value === null) return error === null ? null : <ErrorState error={error} retry={reload} />;
  if (value.replays.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="replays">
      <h3 id="replays">Replays</h3>
      <p className="small quiet">
        The replays that the game sent with its best scores. A file has the replay and the seed of the run.
      </p>
      <Table
        label={`Replays of ${board.title}`}
        rows={value.replays}
        keyOf={({ submission }) => String(submission)}
        columns={[
          { title: 'Player', cell: ({ handle }) => <a href={`/@${handle}`}>@{handle}</a> },
          { title: 'Score', number: true, cell: ({ score }) => formatScore(score, board) },
          { title: 'Version', number: true, cell: ({ version }) => version ?? '–' },
          { title: 'Size', number: true, cell: ({ bytes }) => <Bytes value={bytes} /> },
          { title: 'Posted', cell: ({ submitted_at }) => <TimeAgo at={submitted_at} /> },
        ]}
        actions={({ submission, handle }) => (
          <Button size="small" variant="plain" busy={download.busy} onClick={() => download.run(submission)}>
            Download<span className="said"> the replay of @{handle}</span>
          </Button>
        )}
      />
      <FailureNotice failure={download.failure} />
    </section>
  );
}

/** Downloads a text as a file. */
function keepFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
