import type { Client } from '@spaceport/client/client';
import type { CreatedAnswer, VersionDetails } from '@spaceport/client/publish';
import type { StoredClaim } from './claim-file.ts';

/** The target of a publish: the space, the credential, and what is stored in the project. */
export interface PublishTarget {
  readonly client: Client;
  /** The client for a dry run. Its credential cannot change anything at the service. */
  readonly dryRunClient: Client;
  readonly details: VersionDetails;
  /** The slug of an existing space. Only versions of that space can be resumed. */
  readonly slug: string | undefined;
  /** Stores the answer of a create. Called before the first upload, so that an interruption loses nothing. */
  onCreated(created: CreatedAnswer): void;
  /** Returns the page and its token, if it was published without an account. */
  claim(): StoredClaim | undefined;
}
