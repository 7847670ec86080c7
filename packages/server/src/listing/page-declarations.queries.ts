import type { BoardsBlock } from '@spaceport/contract/listing';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Json } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The result of the last look at a page. Without `declared`, that column stays unchanged. */
export interface PageLook {
  readonly declared?: Json<BoardsBlock>;
  /** One sentence for the owner, or null. */
  readonly warning: string | null;
  /** Epoch milliseconds. */
  readonly synced_at: number;
}

export async function writePageLook(tx: Tx, spaceId: SpaceId, look: PageLook): Promise<void> {
  await tx.db
    .insertInto('page_declarations')
    .values({ space_id: spaceId, declared: null, ...look })
    .onConflict((conflict) => conflict.column('space_id').doUpdateSet(look))
    .execute();
}
