import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { SectionSkeleton } from '../section.tsx';
import { Bans } from './bans.tsx';
import { SandboxReset } from './sandbox-reset.tsx';
import { Standings } from './standings.tsx';

/** Who plays a space: standings, bans, and what the sandbox holds. */
export default function PlayersSection() {
  const { slug } = useOwnSpace().space;
  const boards = useLoad(slug, (signal) => client.readBoards({ params: { slug } }, { signal }));
  const bans = useLoad(slug, (signal) => client.readBans({ params: { slug } }, { signal }));
  const error = boards.error ?? bans.error;
  if (boards.value === null || bans.value === null)
    return error === null ? (
      <SectionSkeleton />
    ) : (
      <ErrorState
        error={error}
        retry={() => {
          boards.reload();
          bans.reload();
        }}
      />
    );
  const { bans: list } = bans.value;
  return (
    <div className="stack">
      <Standings
        key={list.map(({ handle }) => handle).join(' ')}
        slug={slug}
        boards={boards.value.boards}
        onBanned={bans.reload}
      />
      <Bans slug={slug} bans={list} onChanged={bans.reload} />
      <SandboxReset slug={slug} />
    </div>
  );
}
