import { type ReactNode, useState } from 'preact/compat';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

interface Declared {
  readonly key: string;
}

/** The declarations of one kind, one per line, with buttons to add, change and delete them. */
export function DeclaredCard<Item extends Declared>({
  title,
  kind,
  max,
  items,
  columns,
  empty,
  nameOf,
  edit,
  onDelete,
  whatIsLost,
}: {
  title: string;
  /** The kind with its article: «a board». */
  kind: string;
  max: number;
  items: readonly Item[];
  columns: readonly Column<Item>[];
  empty: ReactNode;
  nameOf: (item: Item) => string;
  /** Renders the dialog that changes an item, or makes one if `item` is null. */
  edit: (item: Item | null, onClose: () => void) => ReactNode;
  onDelete: (item: Item) => Promise<unknown>;
  whatIsLost: (item: Item) => ReactNode;
}) {
  const [edited, setEdited] = useState<Item | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Item | null>(null);
  const one = kind.replace(/^an? /u, '');
  const actions = (item: Item) => (
    <Menu
      label={`Actions for ${nameOf(item)}`}
      items={[
        { label: 'Edit', onSelect: () => setEdited(item) },
        { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setDeleted(item) },
      ]}
    />
  );
  return (
    <Card
      title={title}
      actions={
        <>
          <span className="quiet small">
            {items.length} of {max}
          </span>
          <Button
            size="small"
            variant="plain"
            icon="plus"
            disabled={items.length >= max}
            onClick={() => setEdited('new')}
          >
            Add {kind}
          </Button>
        </>
      }
    >
      {items.length === 0 ? (
        empty
      ) : (
        <Table
          label={`Table of ${title.toLowerCase()}`}
          rows={items}
          keyOf={({ key }) => key}
          columns={columns}
          actions={actions}
        />
      )}
      {edited !== null && edit(edited === 'new' ? null : edited, () => setEdited(null))}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete the ${one} ${nameOf(deleted)}?`}
          action={`Delete the ${one}`}
          onClose={() => setDeleted(null)}
          onConfirm={() => onDelete(deleted)}
        >
          <div className="stack stack--tight">{whatIsLost(deleted)}</div>
        </ConfirmDialog>
      )}
    </Card>
  );
}
