import type { Client } from '@spaceport/client/client';
import type { CreatedAnswer, VersionDetails } from '@spaceport/client/publish';
import type { StoredClaim } from './claim-file.ts';

/** Where a publish goes, as whom, and what is kept of it in the project. */
export interface PublishTarget {
  readonly client: Client;
  /** Asks for a dry run: one that could change something would not be dry. */
  readonly dryRunClient: Client;
  readonly details: VersionDetails;
  /** The space it goes to where that is there already: only its versions can be gone on with. */
  readonly slug: string | undefined;
  /** Keeps what a create tells: called before the first upload, so that an interruption loses none of it. */
  onCreated(created: CreatedAnswer): void;
  /** The page and its token, when it is published without an account. */
  claim(): StoredClaim | undefined;
}
