import type { SpaceState } from '@spaceport/contract/spaces';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type ActionName = 'hold' | 'release' | 'hide' | 'remove' | 'restore';

interface SpaceAction {
  readonly label: string;
  readonly danger: boolean;
  /** The effect of the action, and how it is undone. */
  readonly effect: string;
  readonly call: 'holdSpace' | 'releaseSpace' | 'hideSpace' | 'removeSpace' | 'restoreSpace';
}

/** What operators may do with a space. */
export const actions: Readonly<Record<ActionName, SpaceAction>> = {
  hold: {
    label: 'Hold for review',
    danger: false,
    effect: 'It is off the service and no new version goes live, until you release it.',
    call: 'holdSpace',
  },
  release: {
    label: 'Release',
    danger: false,
    effect: 'The review ends, and it is as it was before.',
    call: 'releaseSpace',
  },
  hide: {
    label: 'Hide',
    danger: false,
    effect: 'Nobody can open it, its owner included, who can still change it. It can be restored.',
    call: 'hideSpace',
  },
  remove: {
    label: 'Remove',
    danger: true,
    effect: 'Its page and its address say that it is gone, within a minute. It can be restored.',
    call: 'removeSpace',
  },
  restore: {
    label: 'Restore',
    danger: false,
    effect: 'It is back as it was before.',
    call: 'restoreSpace',
  },
};

/** State → actions that the service accepts in it. */
const offered: Readonly<Record<SpaceState, readonly ActionName[]>> = {
  listed: ['hold', 'hide', 'remove'],
  unlisted: ['hold', 'hide', 'remove'],
  offline: ['hold', 'hide', 'remove'],
  held: ['release', 'hide', 'remove'],
  hidden: ['restore', 'hold', 'remove'],
  removed: ['restore'],
  // A deleted space is off the service already, and is deleted for good automatically.
  deleted: [],
};

/** The operator's actions on a space, behind one button. */
export function SpaceActions({
  space: { slug, title, state, owner },
  onChanged,
}: {
  space: { slug: string; title: string; state: SpaceState; owner: string | null };
  onChanged: (now: { state: SpaceState }) => void;
}) {
  const [asked, setAsked] = useState<ActionName | null>(null);
  const action = asked && actions[asked];
  return (
    <>
      <Menu
        label={`What to do with ${title}`}
        items={offered[state].map((name) => ({
          label: `${actions[name].label}…`,
          danger: actions[name].danger,
          onSelect: () => setAsked(name),
        }))}
      />
      {action && (
        <ReasonDialog
          title={`${action.label}: ${title}`}
          action={action.label}
          danger={action.danger}
          onClose={() => setAsked(null)}
          {...(owner !== null && { tells: `@${owner}` })}
          onConfirm={async (reason, message) => {
            const body = { reason, message };
            const { state: now } = await client[action.call]({ params: { slug }, body });
            onChanged({ state: now });
            showToast(`${title} is ${now} now.`);
          }}
        >
          {action.effect}
        </ReasonDialog>
      )}
    </>
  );
}
