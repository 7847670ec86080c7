import type { Board } from '@spaceport/contract/boards';
import type { Declarations } from '@spaceport/contract/declarations';
import type { BoardsBlock, OwnSpace } from '@spaceport/contract/listing';
import type { PageSettings, SpaceFieldsPatch } from '@spaceport/contract/spaces';
import type { CheckReport } from '@spaceport/contract/versions';
import type { testEvent, WebhookEvent } from '@spaceport/contract/webhook-events';
import type { JWK } from 'jose';
import type { Generated, Kysely } from 'kysely';
import type {
  AccountId,
  BoardId,
  ClaimId,
  ContentId,
  DeviceLoginId,
  GuestId,
  JobId,
  LeaseId,
  LostSaveId,
  PasskeyId,
  PlayerId,
  PlaySessionId,
  Principal,
  ReportId,
  RoomId,
  RoomNodeId,
  RunId,
  SessionId,
  SpaceId,
  TokenId,
  VersionId,
  WebhookId,
} from './ids.ts';
import type { Json } from './json.ts';

/**
 * The tables, the same on both engines. Instants are integer milliseconds since the epoch, flags are 0 or 1.
 * JSON is stored as text, and the column's type says which value it holds; `json.ts` makes and reads it.
 */
export interface Schema {
  settings: { name: string; value: string };
  creators: CreatorsTable;
  /** The handles of deleted accounts, which are never given again. */
  spent_handles: { handle: string };
  api_tokens: ApiTokensTable;
  auth_sessions: AuthSessionsTable;
  auth_accounts: AuthAccountsTable;
  auth_verifications: AuthVerificationsTable;
  auth_passkeys: AuthPasskeysTable;
  device_logins: DeviceLoginsTable;
  oauth_clients: OAuthClientsTable;
  oauth_codes: OAuthCodesTable;
  /**
   * Mails that wait to be sent. A row is deleted once its mail was handed to the mail server, or given up.
   */
  outgoing_mails: { id: string; recipient: string; subject: string; body: string; created_at: number };
  spaces: SpacesTable;
  search_docs: SearchDocsTable;
  /**
   * The tags of a listed space. Each tag has two rows: one for the tag alone (`puzzle`) and one with the
   * space's type (`puzzle game`). `created_at` is copied from the space: a list by tag is read in its order.
   */
  search_labels: { label: string; created_at: number; space_id: SpaceId };
  /**
   * One row, or none before the search tables are filled. `rules` is the number of the rules that they were filled by
   * (search/fill.ts), and 0 while they are being filled: by the rules `filled_by`, as far as the space `filled_to`.
   */
  search_state: { rules: number; filled_by: number | null; filled_to: SpaceId | null };
  /**
   * Every slug that was ever given. A slug is never given to another space, so that old links cannot change
   * hands.
   */
  slugs: { slug: string; space_id: SpaceId };
  /**
   * The addresses of listed spaces, as hashes of their normal spelling: the address that was given, and the
   * one that it redirects to. The hash is the primary key, so that two spaces can never share an address.
   */
  space_urls: { url_key: string; space_id: SpaceId };
  page_declarations: PageDeclarationsTable;
  /**
   * Addresses that are never listed: hosts (with their subdomains), hosts with a port, and normalised URLs.
   */
  blocked_addresses: { address: string; blocked_at: number };
  audit_log: AuditLogTable;
  reports: ReportsTable;
  versions: VersionsTable;
  /** The manifests. One row for each version, with its files sorted by path. */
  manifests: {
    version_id: VersionId;
    files: Json<readonly (readonly [path: string, hash: string, size: number])[]>;
  };
  /** Versions that may be served at addresses with their number in them. The safety check writes the row. */
  version_paths: VersionPathsTable;
  unlisted_pages: UnlistedPagesTable;
  preview_links: { label: string; version_id: VersionId; created_at: number; expires_at: number };
  /** The labels of links to deleted versions. They answer 410 until the link would have expired. */
  ended_labels: { label: string; expires_at: number };
  /** Links for operators to versions under review. No other response contains such a link. */
  review_links: { label: string; version_id: VersionId; created_at: number; expires_at: number };
  blobs: BlobsTable;
  damaged_files: DamagedFilesTable;
  domains: DomainsTable;
  taken_down_files: TakenDownFilesTable;
  /**
   * Versions that contain a file that was taken down. Serving does not read this: it looks at the files
   * alone.
   */
  taken_down_versions: { hash: string; version_id: VersionId };
  clips: ClipsTable;
  covers: CoversTable;
  check_pictures: CheckPicturesTable;
  /** The compressed forms of a blob. Each is a stored file of its own, under its own key. */
  blob_forms: { hash: string; coding: 'br' | 'zstd' | 'gzip'; key: string; size: number };
  /**
   * A blob compressed with another blob as its dictionary; `dictionary` is the SHA-256 of that blob. Browsers
   * that have the dictionary are sent this form.
   */
  blob_deltas: { hash: string; dictionary: string; key: string; size: number };
  /**
   * Which account or claim has uploaded which bytes. Creating a version counts these files as already there.
   */
  blob_uploads: { principal: Principal; hash: string };
  /**
   * The sum of the sizes of a principal's `blob_uploads`, for the quota: counting them takes a second for a
   * million. Nodes from before this table do not change it, so during an upgrade it can be wrong.
   */
  stored_bytes: { principal: Principal; bytes: number };
  boards: BoardsTable;
  submissions: SubmissionsTable;
  /** The boards that a player has ever posted to. Look-ups of a player's submissions begin here. */
  board_players: { player_id: PlayerId; board_id: BoardId };
  replays: ReplaysTable;
  used_runs: UsedRunsTable;
  rankings: RankingsTable;
  /**
   * Players whose submissions or bans changed while their board is being ranked anew. One row for each
   * change.
   */
  rerank_changes: { id: Generated<number>; board_id: BoardId; player_id: PlayerId };
  entries: EntriesTable;
  ranking_segments: RankingSegmentsTable;
  /** Players who are banned from all boards of a space. */
  bans: { space_id: SpaceId; player_id: PlayerId; banned_at: number };
  /** The secrets of spaces, at most one each. `hash` is the SHA-256 of the secret. */
  board_secrets: { space_id: SpaceId; hash: string; created_at: number; rotated_at: number | null };
  idempotent_answers: IdempotentAnswersTable;
  create_keys: CreateKeysTable;
  stats: StatsTable;
  achievements: AchievementsTable;
  player_stats: PlayerStatsTable;
  unlocks: UnlocksTable;
  /**
   * The keys that sign player tokens, as JWKs. A key signs from `signs_from` until the `signs_from` of the
   * next key.
   */
  player_keys: {
    kid: string;
    private_jwk: Json<JWK>;
    public_jwk: Json<JWK>;
    created_at: number;
    signs_from: number;
  };
  guests: GuestsTable;
  guest_scores: GuestScoresTable;
  /**
   * The replays of guests' scores that would be among the best of a ranking, in base64.
   */
  guest_replays: { guest_id: GuestId; board_id: BoardId; data: string };
  guest_stats: GuestStatsTable;
  guest_unlocks: GuestUnlocksTable;
  saves: SavesTable;
  /** The last version number that was given to a save of a player in a space. No number is given twice. */
  save_counters: { space_id: SpaceId; env: Env; player_id: PlayerId; last_version: number };
  save_losers: SaveLosersTable;
  account_plays: AccountPlaysTable;
  /** Content that players of a space made for its other players. */
  content: ContentTable;
  /** The likes of content, at most one for each player and item. */
  content_likes: { content_id: ContentId; player_id: AccountId; at: number };
  rooms: RoomsTable;
  /**
   * Processes that have rooms. Other processes reach it at `address`; it counts as alive until `until`, the
   * end of its lease.
   */
  room_nodes: { id: RoomNodeId; address: string; until: number };
  /** Room tickets that were not used yet. `hash` is the SHA-256 of the ticket. */
  room_tickets: { hash: string; room_id: RoomId; who: Json<TicketHolder>; expires_at: number };
  space_days: SpaceDaysTable;
  play_counts: PlayCountsTable;
  error_groups: ErrorGroupsTable;
  error_versions: ErrorVersionsTable;
  /** How often an error happened in each browser, such as "Firefox 140". */
  error_browsers: { error_id: string; browser: string; count: number };
  /** Whether the owner of a space is mailed about new errors. Without a row, mails are on. */
  error_mails: { space_id: SpaceId; is_on: Flag };
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  /** The submission in first place of a board that the space's webhooks were last told about. */
  told_records: { board_id: BoardId; submission_id: number; told_at: number };
  jobs: JobsTable;
  /** One row for each counted action, so that limits are exact on both engines and across processes. */
  rate_hits: { bucket: string; at: number };
}

export type Flag = 0 | 1;

export interface CreatorsTable {
  id: AccountId;
  /** The handle as it is shown; null until the account picks one. */
  handle: string | null;
  name: string;
  email: string;
  operator: Flag;
  banned_at: number | null;
  created_at: number;
  email_verified: Generated<Flag>;
  updated_at: Generated<number>;
  /**
   * 0 if the account hides what it has played. Others then see its scores and achievements in rankings only.
   */
  plays_public: Generated<Flag>;
  /**
   * When the owner deleted the account; null if it was not deleted. Until its spaces are gone, the row stays
   * as a banned account without handle, name and email.
   */
  deleted_at: Generated<number | null>;
}

/** The session of a browser that is signed in. */
export interface AuthSessionsTable {
  id: SessionId;
  /** SHA-256 of the token in the session cookie. */
  token: string;
  creator_id: AccountId;
  expires_at: number;
  created_at: number;
  updated_at: number;
  ip_address: string | null;
  user_agent: string | null;
  /** How many wrong device codes were typed in this session since its last lock. */
  wrong_codes: Generated<number>;
  /** Until this instant no device code is accepted in this session; null if it is not locked. */
  codes_locked_until: number | null;
}

/** The password of an account: `provider_id` is `credential`, and `account_id` is the account's id. */
export interface AuthAccountsTable {
  id: string;
  provider_id: string;
  account_id: string;
  creator_id: AccountId;
  /** The scrypt hash, in the format of `accounts/password-hash.ts`. */
  password: string | null;
  created_at: number;
  updated_at: number;
}

/** Password resets and passkey challenges that are under way. `identifier` is a hash. */
export interface AuthVerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface AuthPasskeysTable {
  id: PasskeyId;
  name: string | null;
  public_key: string;
  creator_id: AccountId;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: Flag;
  transports: string | null;
  created_at: number | null;
  aaguid: string | null;
}

/** Programs that registered themselves as OAuth clients (RFC 7591). */
export interface OAuthClientsTable {
  id: string;
  name: string;
  redirect_uris: Json<readonly string[]>;
  created_at: number;
  /** When an account last authorized the program; null until then. */
  used_at: number | null;
}

/** Authorization codes (RFC 6749 §4.1). */
export interface OAuthCodesTable {
  /** SHA-256 of the code. */
  hash: string;
  /** The id in `oauth_clients`, or the URL of a client metadata document. */
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** The PKCE challenge: SHA-256 of the code verifier, in base64url. */
  challenge: string;
  /** The granted scopes, spelled as in `api_tokens`. */
  scopes: string;
  space_id: SpaceId | null;
  creator_id: AccountId;
  /** The token that the code was exchanged for; null until then. */
  token_id: TokenId | null;
  created_at: number;
  expires_at: number;
}

/** A device sign-in (RFC 8628), from its start to the exchange for a token. */
export interface DeviceLoginsTable {
  id: DeviceLoginId;
  /** SHA-256 of the device code. */
  device_hash: string;
  /** Eight letters, without the hyphen that people see. */
  user_code: string;
  client_name: string | null;
  /** The IP address that the device asked from. */
  address: string;
  status: 'pending' | 'approved' | 'denied' | 'exchanged';
  /** The account that approved or denied; null until then. */
  creator_id: AccountId | null;
  /** The shortest time between two polls, in seconds. Each poll that comes too early adds five. */
  interval_seconds: number;
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** The requested scopes, spelled as in `api_tokens`; after the approval, the granted ones. */
  scopes: Generated<string>;
  /**
   * The slug of the one space that the device asked for, as the device spelled it; null if it asked for all.
   */
  asked_space: string | null;
  /** The one space of the account that was approved; null until then, and if the approval is for all. */
  space_id: SpaceId | null;
}

export interface ApiTokensTable {
  id: TokenId;
  creator_id: AccountId;
  hash: string;
  client_name: string | null;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Names of scopes, separated by spaces. */
  scopes: Generated<string>;
  /** The one space that the token is for; null if it is for all spaces of the account. */
  space_id: SpaceId | null;
}

/** The state that listing and operators gave a space, whatever its creator does. */
export type Standing = 'listed' | 'unlisted' | 'held' | 'hidden' | 'removed';

export interface SpacesTable {
  id: SpaceId;
  slug: string;
  owner_id: AccountId | null;
  /** 1 if the service hosts its files; 0 for a listed page that runs elsewhere. */
  hosted: Flag;
  /**
   * 0 while nobody has claimed the space: a page without an account, or a listed page whose owner did not
   * prove it.
   */
  claimed: Flag;
  /** The state that everyone sees: the standing, or the state that covers it (docs/decisions/0010). */
  state: Standing | 'offline' | 'deleted';
  /**
   * The standing while another state covers it; null if nothing covers it, because `state` is then the
   * standing.
   */
  standing: Standing | null;
  /** 1 while the creator has taken the space offline. */
  offline: Flag;
  /** 1 while the account that owns it is banned. */
  owner_banned: Flag;
  /** When the creator deleted the space; before any instant once it is being deleted for good; null if it was not deleted. */
  deleted_at: number | null;
  /**
   * The URL of a listed space, as its creator gave it; null for a hosted space, whose address follows from
   * its slug.
   */
  url: string | null;
  title: string;
  space_type: string;
  devices: Json<OwnSpace['devices']>;
  description: string | null;
  engine: string | null;
  ai_tools: Json<string[]>;
  models: Json<string[]>;
  tags: Json<string[]>;
  how_made: string | null;
  source_url: string | null;
  page: Json<PageSettings>;
  /** A copy of `page.unlisted`, for the gallery to filter by. */
  page_unlisted: Flag;
  /** The title in its folded spelling, for the search of the operators' list. */
  search_title: string;
  /**
   * The standings that operators' actions replaced, the newest one last. Release and restore go back to the
   * last one.
   */
  states_before: Json<Standing[]>;
  /** What the operator of the last action told the owner; null if nothing, or if the space is back. */
  operators_message: string | null;
  /** How many pictures were ever requested, which is also the number of the last one. */
  takes: number;
  /**
   * How many seconds after the page has loaded its picture is taken. 0 means: as soon as something is
   * visible.
   */
  clip_after_seconds: number;
  /** The newest picture that the service took. */
  clip: Json<StoredClip> | null;
  /** The picture that the owner uploaded. */
  cover: Json<StoredCover> | null;
  plays: number;
  /**
   * The version that is served now. It is one column, so that going live is one update and two can never be
   * live.
   */
  live_version_id: VersionId | null;
  /** The number that the next version gets. */
  next_version: number;
  /** The number of changes of the space. Its ETag is made from it, and a move compares it. */
  revision: number;
  created_at: number;
  updated_at: number;
}

/** A space that the search can find. Each engine keeps the tokens in its own way: platform/db/dialect.ts. */
export interface SearchDocsTable {
  id: Generated<number>;
  space_id: SpaceId;
  /** The normalised words of the title, separated by spaces. */
  title: string;
  /** The normalised words of the tags and the creator's handle, separated by spaces. */
  names: string;
}

/** The value of the column `spaces.cover`. */
export interface StoredCover {
  /** The path on the app's host, with its leading slash. */
  readonly path: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly setAt: number;
}

/** The value of the column `spaces.clip`. */
export interface StoredClip {
  /** The path on the app's host, with its leading slash. */
  readonly path: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly take: number;
  readonly takenAt: number;
}

/** What the head of a listed page declared when it was last read. */
export interface PageDeclarationsTable {
  space_id: SpaceId;
  /** The last valid block; null if the page never had one. */
  declared: Json<BoardsBlock> | null;
  /** What is wrong with the page's present block, for its owner; null if nothing is. */
  warning: string | null;
  synced_at: number;
}

/** The operator who acted, or `admin` for a command on the machine itself. */
export type Actor = AccountId | 'admin';

/** The actions of operators. */
export interface AuditLogTable {
  id: string;
  at: number;
  actor: Actor;
  /** `hold`, `block`, … */
  action: string;
  /** `space:<id>`, `host:<host>`, … */
  subject: string;
  reason: string | null;
}

/** The reports of players about spaces and content. */
export interface ReportsTable {
  id: ReportId;
  space_id: SpaceId;
  /** The reported content of a player, which may be deleted by now; null if the report is about the space. */
  content_id: ContentId | null;
  /** One of the contract's `reportReasons`. */
  reason: string;
  message: string;
  reported_at: number;
  state: 'open' | 'dismissed' | 'resolved';
  /** The operator's reason for the decision. */
  note: string | null;
  decided_by: Actor | null;
  decided_at: number | null;
}

export interface VersionsTable {
  id: VersionId;
  space_id: SpaceId;
  number: number;
  status: 'uploading' | 'preview' | 'checking' | 'live' | 'refused' | 'unjudged';
  /** 1 on a version with the status `checking` whose check ended without a verdict. */
  stopped: Flag;
  reason: string | null;
  /** Listing fields that take effect when the version goes live. */
  fields: Json<SpaceFieldsPatch>;
  /** The boards, stats and achievements that the version's service.json declares. */
  declarations: Json<Declarations>;
  files: number;
  bytes: number;
  /** The account or claim that created the version. */
  created_by: Principal;
  created_at: number;
  /** When the last upload links of the version expire. An unfinished version is deleted a day later. */
  links_expire_at: number;
  finished_at: number | null;
  /** What the finish call asked for: 1 for a preview, 0 for production; null until then. */
  finished_as_preview: Flag | null;
  live_at: number | null;
  /** 1 if the version was made before the space moved to a live URL. */
  left_behind: Flag;
  review_requested_at: number | null;
  review_decided_at: number | null;
  review_outcome: 'live' | 'preview' | 'superseded' | 'declined' | null;
  /** The findings of the safety check; null until it ended. */
  report: Json<CheckReport> | null;
}

export interface VersionPathsTable {
  version_id: VersionId;
  /**
   * Files that an earlier version has with the same bytes, with the number of that version. Requests for them
   * are redirected there.
   */
  origins: Json<readonly (readonly [path: string, number: number])[]>;
  /** The files that the version's page requested first during its check. */
  first_files: Json<
    readonly { readonly target: string; readonly as: 'module' | 'script' | 'style' | 'font' | 'fetch' }[]
  >;
  /** When another version took its place; null while the version is live, and before. */
  left_at: number | null;
}

/** A page published without an account. */
export interface UnlistedPagesTable {
  /** The principal of the page's uploads until it is claimed. */
  claim_id: ClaimId;
  /** SHA-256 of the claim token. */
  claim_hash: string;
  /**
   * The space. It is deleted when the page expires; this row stays, so that the token can still be explained.
   */
  space_id: SpaceId;
  created_at: number;
  /** 0 from the moment in which its deletion begins, and -1 when its space is gone: then no sweep looks at the row any more. */
  expires_at: number;
  claimed_at: number | null;
  claimed_by: AccountId | null;
}

/** The picture of a space that its owner uploaded. Both sizes are WebP. */
export interface CoversTable {
  space_id: SpaceId;
  /** The part of the picture's address that is unique to it. */
  name: string;
  key: string;
  key_small: string;
}

/** The kept pictures that the service took of a space. Both sizes are WebP. */
export interface ClipsTable {
  space_id: SpaceId;
  /** The number of the picture; see `spaces.takes`. */
  take: number;
  /** The key of the large size in the store. */
  key: string;
  key_small: string;
  /** The version it shows; null for a listed page. */
  version_id: VersionId | null;
  taken_at: number;
}

/** The picture that the safety check took of a version, for its creator. */
export interface CheckPicturesTable {
  version_id: VersionId;
  /** The random part of the picture's address. */
  name: string;
  /** The key of the picture in the store. */
  key: string;
}

/** The custom host name of a space: live, or waiting for its DNS records. */
export interface DomainsTable {
  space_id: SpaceId;
  host: string;
  /** The value that the host's TXT record must have. It differs for each space and each time. */
  proof: string;
  state: 'waiting' | 'live' | 'failed';
  /** What was missing at the last look; null if nothing was. */
  reason: string | null;
  /** When the host came into its present state. For `waiting`: when the wait for its records began. */
  begun_at: number;
  /** Since when the records of a live host are missing; null while they are there. */
  lacking_since: number | null;
  /** When the records are looked at next; null if never. */
  due_at: number | null;
  /**
   * The host while it is live, else null. The column is unique, so that two spaces cannot have the same live
   * host.
   */
  live_host: string | null;
}

/** Files that are not served on any host, whichever version contains them. */
export interface TakenDownFilesTable {
  hash: string;
  /** The reason as it was mailed to the owners of the spaces. */
  reason: string;
  taken_down_at: number;
}

/** A stored file that a row refers to, and that the store has lost or has with other bytes. */
export interface DamagedFilesTable {
  key: string;
  problem: 'missing' | 'damaged';
  found_at: number;
}

export interface BlobsTable {
  hash: string;
  /** The key in the store. Each stored copy gets a new random name, see docs/decisions/0004. */
  key: string;
  size: number;
  /**
   * 1 once a public version has contained the file. Then a create by anyone may count it as already there.
   */
  public: Flag;
  /**
   * 1 if the code in the file needs shared memory. A version with such a file is served cross-origin
   * isolated.
   */
  shared_memory: Flag;
  /** 1 once its compressed forms were made, or turned out not to be worth it. */
  packed: Flag;
  created_at: number;
  /** When the collector first found that nothing refers to it; null while something does. */
  marked_at: number | null;
}

/** Live data, or the data of the sandbox, which previews and unlisted pages write to. */
export type Env = 'live' | 'sandbox';

/** A board as declared, with defaults filled in. Live play and the sandbox have a row each. */
export interface BoardsTable {
  id: BoardId;
  space_id: SpaceId;
  /** `dropped`: deleted, with its id as its key. Nothing shows it any more, and a job deletes its rows in pieces. */
  env: Env | 'dropped';
  key: string;
  title: string;
  metric: 'score' | 'time' | 'distance' | 'count' | 'percent';
  /** `asc` if a lower score is better, `desc` if a higher one is. */
  sort: 'asc' | 'desc';
  /**
   * `client` if players may post scores themselves; `server` if only the space's server may, with its secret.
   */
  trust: 'client' | 'server';
  /** Which of a player's scores counts, or their sum. */
  keep: 'best' | 'last' | 'sum';
  /** The text after a shown score. */
  unit: string | null;
  /** How many decimals are shown. */
  decimals: number;
  min: number | null;
  max: number | null;
  /**
   * Limits for scores that players post themselves: the shortest run, in whole seconds, and the most score
   * for each second of the run.
   */
  min_seconds: number | null;
  max_per_second: number | null;
  /** In the order of the declaration. */
  periods: Json<Board['periods']>;
  /**
   * The rules that the rankings still follow while the board is being ranked anew by the rules above; null if
   * they follow those above already.
   */
  ranked_as: Generated<Json<RankingRules> | null>;
  source: 'page' | 'api';
  /**
   * The place in the order in which keys were first declared: they are shown in that order. Stats and
   * achievements have the same column.
   */
  position: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The part of a board's declaration that its rankings depend on. */
export interface RankingRules {
  readonly sort: BoardsTable['sort'];
  readonly keep: BoardsTable['keep'];
  /** In the order of the declaration. Responses use `all` if it is among them, else the first one. */
  readonly periods: readonly Board['periods'][number][];
}

/** All scores that were posted and not deleted. Entries are computed from them. */
export interface SubmissionsTable {
  id: Generated<number>;
  board_id: BoardId;
  player_id: PlayerId;
  score: number;
  meta: string | null;
  created_at: number;
  /**
   * The number of the version that was played, according to the session; null if the space's own server
   * posted the score, and for a page that runs elsewhere.
   */
  version: number | null;
  /** The ids of the play session and of the run; null if the space's own server posted the score. */
  session: PlaySessionId | null;
  run: RunId | null;
}

/** A run whose score was posted. It is kept until the run could not be posted any more anyway. */
export interface UsedRunsTable {
  run: RunId;
  space_id: SpaceId;
  used_at: number;
}

/** The replays of the best entries of a board's rankings. */
export interface ReplaysTable {
  submission_id: number;
  board_id: BoardId;
  /** The replay in base64; `bytes` is its decoded length. */
  data: string;
  bytes: number;
}

/** The ranking of one board in one window of time. */
export interface RankingsTable {
  id: Generated<number>;
  /**
   * How many statements have written its `ranking_segments`. PostgreSQL counts them, SQLite does not. A node that put
   * runs into its memory at this number has the current ones.
   */
  run_changes: Generated<number>;
  board_id: BoardId;
  /**
   * `all`, or the day, week or month: `2026-11-21`, `2026-W47`, `2026-11`. With `+` in front, the ranking is
   * being built to replace the one of that name. With `-` and the id in front, it was replaced, and its
   * entries are being deleted.
   */
  window: string;
}

/**
 * The entry of a player in a ranking. Entries are ordered by (sort_key, submission_id). Banned players have
 * none.
 */
export interface EntriesTable {
  ranking_id: number;
  player_id: PlayerId;
  /** The score, or its negative if a higher score is better: rankings are in ascending order. */
  sort_key: number;
  /** The submission that gave the player this score. */
  submission_id: number;
}

/**
 * The segments of a ranking (docs/decisions/0008): `n` is the number of entries from its low end up to that
 * of the next segment of its level. Level 0 counts entries; level 1 counts the same entries in larger steps.
 */
export interface RankingSegmentsTable {
  ranking_id: number;
  level: number;
  low_key: number;
  low_id: number;
  n: number;
}

/** The responses to calls with an Idempotency-Key, kept for a day. */
export interface IdempotentAnswersTable {
  space_id: SpaceId;
  key: string;
  /** The hash of the operation and the body, which tells another request with the same key. */
  request_hash: string;
  status: number;
  /** The response body. */
  answer: Json<unknown>;
  created_at: number;
}

/** The versions that creates with an Idempotency-Key have made. A row ends with its version. */
export interface CreateKeysTable {
  /** The account or the claim; empty for somebody without either. */
  publisher: Principal | '';
  /** SHA-256 of the key. Who has neither account nor claim gets the claim token again by the key. */
  key_hash: string;
  /** The hash of the operation and the body, which tells another request with the same key. */
  request_hash: string;
  version_id: VersionId;
  /** 256 random bits, of which and the key the claim token of a new page is made. */
  salt: string;
  created_at: number;
}

export interface StatsTable {
  space_id: SpaceId;
  env: Env;
  key: string;
  label: string;
  op: 'set' | 'add' | 'max';
  source: 'page' | 'api';
  position: Generated<number>;
  created_at: number;
}

export interface AchievementsTable {
  space_id: SpaceId;
  env: Env;
  key: string;
  title: string;
  description: string;
  trigger_stat: string | null;
  trigger_at_least: number | null;
  icon: string | null;
  hidden: Flag;
  points: number;
  source: 'page' | 'api';
  position: Generated<number>;
  /** How many players have it, without banned ones. It is increased in the transaction of each unlock. */
  unlocks: Generated<number>;
  created_at: number;
}

export interface PlayerStatsTable {
  space_id: SpaceId;
  env: Env;
  key: string;
  player_id: PlayerId;
  value: number;
  updated_at: number;
}

export interface UnlocksTable {
  space_id: SpaceId;
  env: Env;
  key: string;
  player_id: PlayerId;
  unlocked_at: number;
  /** 0 while the player is banned, by the creator or from the service: then the achievement's count is without it. */
  counted: Generated<Flag>;
}

export interface RoomsTable {
  id: RoomId;
  space_id: SpaceId;
  env: Env;
  /** The account that opened the room; null if a guest did. */
  player_id: AccountId | null;
  /** The code that players give to enter it. */
  code: string;
  /** The most members that it takes. */
  max_members: number;
  /** 1 if the service may send any player into the room. */
  is_open: Flag;
  is_locked: Flag;
  /** The number of `members`. */
  member_count: number;
  /** The members as of the last change. Another process that takes the room over begins with them. */
  members: Json<RoomRecord>;
  /** The process that has the room. Once its lease is over, the first process that asks takes the room. */
  node_id: RoomNodeId;
  /**
   * The number of processes that have had the room. A write by a process of an earlier epoch is not taken.
   */
  epoch: number;
  created_at: number;
  /** When the room was opened, came to another process, or its members last changed. */
  updated_at: number;
}

/**
 * The members of a room, and the players who are barred from it. Players are named by the ids that the space
 * knows.
 */
export interface RoomRecord {
  readonly members: readonly {
    readonly id: string;
    readonly handle: string | null;
    /** Null for a guest. */
    readonly account: AccountId | null;
    readonly order: number;
  }[];
  readonly host: string | null;
  readonly barred: readonly string[];
}

/** The player that a ticket admits, and the origins of the pages that may use it. */
export interface TicketHolder {
  readonly id: string;
  readonly handle: string | null;
  readonly account: AccountId | null;
  readonly origins: readonly string[];
}

/** A player without an account. The row is made when something is first written for the guest's key. */
export interface GuestsTable {
  id: GuestId;
  /**
   * SHA-256 of the key that the guest's browser keeps; `account` and an id for the scores that an account posts before
   * it has a handle.
   */
  key_hash: string;
  created_at: number;
  /** When the guest last opened a space, to the day. */
  opened_at: number;
  /** The account that took over everything of the guest. Nothing more is written for the key then. */
  adopted_by: AccountId | null;
  adopted_at: number | null;
}

/**
 * The score that counts for a guest on a board. It is in no ranking; it is posted once an account adopts the
 * guest.
 */
export interface GuestScoresTable {
  guest_id: GuestId;
  board_id: BoardId;
  score: number;
  /** 1 if the score adds up several ones, on a board with `keep: sum`. Then the other columns are of the last. */
  is_sum: Flag;
  meta: Json<unknown> | null;
  version: number | null;
  session: PlaySessionId | null;
  run: RunId | null;
  at: number;
}

export interface GuestStatsTable {
  guest_id: GuestId;
  space_id: SpaceId;
  env: Env;
  key: string;
  value: number;
  updated_at: number;
}

export interface GuestUnlocksTable {
  guest_id: GuestId;
  space_id: SpaceId;
  env: Env;
  key: string;
  unlocked_at: number;
}

/** The columns that a save and the saves that lost a conflict to it have in common. */
interface SavedColumns {
  space_id: SpaceId;
  env: Env;
  /** The id of an account or of a guest. */
  player_id: PlayerId;
  slot: string;
  type: 'json' | 'bytes';
  /** The size of the JSON text or of the decoded bytes. */
  bytes: number;
  /** SHA-256 of `type` and `data`. */
  digest: string;
  /** The name that the player's browser gave itself; empty if it gave none. */
  device: string;
  /** When the save was written. */
  at: number;
  /** The JSON text, or the bytes in base64. */
  data: string;
}

/** `data` is the last column because it is long: a query that does not select it does not read it. */
export interface SavesTable extends SavedColumns {
  version: number;
}

/** Saves that lost a conflict. They are kept for a while. */
export interface SaveLosersTable extends SavedColumns {
  id: LostSaveId;
  /** The version that it lost to; 0 if the slot was empty by then. Of a save that was replaced, its own. */
  lost_to: number;
  lost_at: number;
}

/** The spaces that an account has played, without sandbox play. */
export interface AccountPlaysTable {
  account_id: AccountId;
  space_id: SpaceId;
  first_at: number;
  last_at: number;
  played_ms: number;
}

export interface ContentTable {
  id: ContentId;
  space_id: SpaceId;
  env: Env;
  /** The space's own name for this kind of content. */
  kind: string;
  player_id: AccountId;
  title: string;
  data: Json<unknown>;
  /** The size of `data` in UTF-8. */
  bytes: number;
  /** The hash of kind, title and data, so that a player cannot publish the same content twice. */
  digest: string;
  /** The number of its rows in `content_likes`. */
  likes: number;
  created_at: number;
}

/** The activity of a space on one day (UTC), without sandbox play. */
export interface SpaceDaysTable {
  space_id: SpaceId;
  /** `2026-11-21` */
  day: string;
  plays: Generated<number>;
  /**
   * The number of scores posted, and of the players who posted them. Both are counted once the day is over,
   * and null before.
   */
  scores: Generated<number | null>;
  players: Generated<number | null>;
}

/** Counts about the loads of a space's version on one day. `version` is 0 for a page that runs elsewhere. */
export interface PlayCountsTable {
  space_id: SpaceId;
  env: Env;
  version: number;
  /** Null if `version` is 0. The row is deleted with the version. */
  version_id: VersionId | null;
  /** `2026-11-21` */
  day: string;
  /** What is counted: loads, seconds of play, the time until play began, or the bytes loaded until then. */
  what: 'sessions' | 'seconds' | 'wait' | 'bytes';
  /** The index of a range in telemetry/histogram.ts; 0 for counts without ranges. */
  bucket: number;
  count: number;
}

/** An error that happened in a space at its players', in whichever versions. */
export interface ErrorGroupsTable {
  id: string;
  space_id: SpaceId;
  env: Env;
  /** The value that is the same for two occurrences of one error: telemetry/fingerprint.ts. */
  fingerprint: string;
  kind: 'uncaught' | 'rejection' | 'reported';
  /** The message of its first occurrence. */
  message: string;
  place: string | null;
  last_at: number;
  resolved_at: number | null;
  /** The newest version that had the error when it was resolved. In a newer one it counts as back. */
  resolved_version: number | null;
}

/** An error in one version. `stack` is the last column because it is long. */
export interface ErrorVersionsTable {
  error_id: string;
  version: number;
  version_id: VersionId | null;
  count: number;
  /** About how many loads the error happened in. */
  sessions: number;
  first_at: number;
  last_at: number;
  /** 1 if no earlier version had the error. */
  is_new: Flag;
  /** When the owner was mailed about it; null if not. */
  alerted_at: number | null;
  stack: string | null;
}

/** The address that a space's events are sent to. It never changes. */
export interface WebhooksTable {
  id: WebhookId;
  space_id: SpaceId;
  url: string;
  events: Json<readonly WebhookEvent[]>;
  /** The key that signs its deliveries: base64 of 32 bytes. */
  key: string;
  /** Its place in the owner's list. */
  position: number;
  /** When it was switched off; null while it is on. */
  off_at: number | null;
  /** `gone` if its address answered 410, `failing` if all attempts to send an event failed. */
  off_reason: 'gone' | 'failing' | null;
  /** How many attempts in a row failed, whatever the event. */
  failures: number;
  /** Nothing is sent before this instant, because the last attempt failed or was slow; null without a pause. */
  paused_until: number | null;
  created_at: number;
}

/** An event for one webhook, with the last answer to it. */
export interface WebhookDeliveriesTable {
  /** The webhook may have been deleted since. */
  webhook_id: WebhookId;
  /** The id of the event, which is the same for all webhooks that it is sent to. */
  event_id: string;
  space_id: SpaceId;
  type: WebhookEvent | typeof testEvent;
  /** The request body, exactly as it is sent. */
  body: string;
  /** `limited` if the event was not sent, because the space had too many events in that hour. */
  state: 'waiting' | 'delivered' | 'failed' | 'limited';
  /** When the attempts began: when the event happened, or when it was last sent again. */
  since: number;
  /** The number of attempts since `since`. */
  attempts: number;
  /** When the next attempt is made; null if none is. */
  next_at: number | null;
  /**
   * The last attempt: when it was made, the status and start of its response, and how long it took in
   * milliseconds. `status` is null if no response came.
   */
  tried_at: number | null;
  status: number | null;
  answer: string | null;
  ms: number | null;
  created_at: number;
}

export interface JobsTable {
  id: JobId;
  kind: string;
  /** What the job is about, such as a version id. There is at most one job for each kind and ref. */
  ref: string;
  /** When it is due. */
  run_at: number;
  /** How often the job was requested. If it is requested while it runs, it runs once more. */
  asks: Generated<number>;
  /** The lease of the worker that runs it; null if none does. */
  lease: LeaseId | null;
  leased_until: number | null;
  /** How many runs were begun, without those that an outage ended. */
  attempts: number;
  /**
   * How many runs in a row were ended by an outage of database, store or machine. The wait for the next run
   * depends on it.
   */
  outages: Generated<number>;
  last_error: string | null;
  /** When the job was given up; null if it was not. */
  failed_at: number | null;
  /** When it was last requested or put back: `run_at` was computed by the clock of that moment. */
  created_at: number;
}

export type Db = Kysely<Schema>;
