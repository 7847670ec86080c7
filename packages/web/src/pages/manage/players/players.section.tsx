import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ReloadFailure } from '../../../ui/reload-failure.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { WaitingSection } from '../waiting-section.tsx';
import { Bans } from './bans.tsx';
import { ClearScores } from './clear-scores.tsx';
import { Made } from './made.tsx';
import { SandboxReset } from './sandbox-reset.tsx';
import { askEntries, nameOf, shownOf } from './shown-entries.ts';
import { Standings } from './standings.tsx';

/** The players of a space: rankings, bans, their items, and the sandbox. */
export default function PlayersSection() {
  const { slug } = useOwnSpace().space;
  const boards = useLoad(slug, async (signal) => {
    const { boards } = await client.readBoards({ params: { slug } }, { signal });
    // The first ranking is loaded with the boards, so that nothing jumps when it appears.
    const shown = shownOf(slug, boards, new URLSearchParams(location.search));
    return {
      boards,
      first: shown && { key: nameOf(shown), value: await askEntries(shown, undefined, signal) },
    };
  });
  const bans = useLoad(slug, (signal) => client.readBans({ params: { slug } }, { signal }));
  if (boards.value === null || bans.value === null) return <WaitingSection loads={[boards, bans]} />;
  const { bans: list } = bans.value;
  return (
    <div className="stack">
      <ReloadFailure loads={[boards, bans]} />
      <Standings
        key={JSON.stringify(boards.value.first?.value.entries)}
        slug={slug}
        boards={boards.value.boards}
        first={boards.value.first}
        onBanned={() => {
          bans.reload();
          boards.reload();
        }}
      />
      <Bans
        slug={slug}
        bans={list}
        onChanged={() => {
          bans.reload();
          boards.reload();
        }}
      />
      <Made
        slug={slug}
        onBanned={() => {
          bans.reload();
          boards.reload();
        }}
      />
      <ClearScores slug={slug} boards={boards.value.boards} onCleared={boards.reload} />
      <SandboxReset slug={slug} />
    </div>
  );
}
