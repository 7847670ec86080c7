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
 * The tables, as every query sees them on both engines. Instants are integer milliseconds, flags are 0 or 1,
 * JSON is text whose type says of what; `json.ts` makes and reads it.
 */
export interface Schema {
  settings: { name: string; value: string };
  creators: CreatorsTable;
  /** Handles of accounts that are deleted: never given again. */
  spent_handles: { handle: string };
  api_tokens: ApiTokensTable;
  auth_sessions: AuthSessionsTable;
  auth_accounts: AuthAccountsTable;
  auth_verifications: AuthVerificationsTable;
  auth_passkeys: AuthPasskeysTable;
  device_logins: DeviceLoginsTable;
  oauth_clients: OAuthClientsTable;
  oauth_codes: OAuthCodesTable;
  /** Messages that wait to be sent: a row goes once its message is out. */
  outgoing_mails: { id: string; recipient: string; subject: string; body: string; created_at: number };
  spaces: SpacesTable;
  search_docs: SearchDocsTable;
  /**
   * A tag of a listed space, and once more with its type: `puzzle` and `puzzle game`. `created_at` is the space's: a list of
   * a tag is read in its order.
   */
  search_labels: { label: string; created_at: number; space_id: SpaceId };
  /** One row once the tables of the search hold everything, by the rules of that number: search/index.ts. */
  search_state: { rules: number };
  /** Every slug that was ever given: never given to another space again, so that old links cannot change hands. */
  slugs: { slug: string; space_id: SpaceId };
  /**
   * The addresses of listed spaces, as hashes of their normal spelling: the given one, and where it redirects. One row
   * an address, so that two spaces can never have one.
   */
  space_urls: { url_key: string; space_id: SpaceId };
  page_declarations: PageDeclarationsTable;
  /** Hosts (their subdomains too), hosts with a port, and normalised URLs that are never listed. */
  blocked_addresses: { address: string; blocked_at: number };
  audit_log: AuditLogTable;
  reports: ReportsTable;
  versions: VersionsTable;
  /** One row a version: its files, sorted by path. */
  manifests: {
    version_id: VersionId;
    files: Json<readonly (readonly [path: string, hash: string, size: number])[]>;
  };
  /** Versions that may be served at addresses with their number in them: a row each, made by the check. */
  version_paths: VersionPathsTable;
  unlisted_pages: UnlistedPagesTable;
  preview_links: { label: string; version_id: VersionId; created_at: number; expires_at: number };
  /** Labels of links to versions that were deleted: they answer 410 for as long as they would have lasted. */
  ended_labels: { label: string; expires_at: number };
  /** Links for operators to versions under review: no other answer ever names one. */
  review_links: { label: string; version_id: VersionId; created_at: number; expires_at: number };
  blobs: BlobsTable;
  damaged_files: DamagedFilesTable;
  domains: DomainsTable;
  taken_down_files: TakenDownFilesTable;
  /** The versions that were found to have them; what is served is decided by the files alone. */
  taken_down_versions: { hash: string; version_id: VersionId };
  clips: ClipsTable;
  covers: CoversTable;
  check_pictures: CheckPicturesTable;
  /** Compressed forms of a blob, each a stored copy of its own. */
  blob_forms: { hash: string; coding: 'br' | 'zstd' | 'gzip'; key: string; size: number };
  /** A blob packed with another one as dictionary, by that one's SHA-256: what browsers that have it are sent. */
  blob_deltas: { hash: string; dictionary: string; key: string; size: number };
  /** Who has uploaded which bytes: creator or claim id. What counts as "had" for a create. */
  blob_uploads: { principal: Principal; hash: string };
  boards: BoardsTable;
  submissions: SubmissionsTable;
  /** Boards that a player has ever posted to: which have submissions of theirs is looked up there. */
  board_players: { player_id: PlayerId; board_id: BoardId };
  replays: ReplaysTable;
  used_runs: UsedRunsTable;
  rankings: RankingsTable;
  /** Players whose submissions or bans changed while their board is ranked anew: one row a change. */
  rerank_changes: { id: Generated<number>; board_id: BoardId; player_id: PlayerId };
  entries: EntriesTable;
  ranking_segments: RankingSegmentsTable;
  /** Players kept from every board of a space. */
  bans: { space_id: SpaceId; player_id: PlayerId; banned_at: number };
  /** A space has one secret or none; `hash` is the SHA-256 of it. */
  board_secrets: { space_id: SpaceId; hash: string; created_at: number; rotated_at: number | null };
  idempotent_answers: IdempotentAnswersTable;
  stats: StatsTable;
  achievements: AchievementsTable;
  player_stats: PlayerStatsTable;
  unlocks: UnlocksTable;
  /** Keys that sign player tokens, as JWKs; one signs from `signs_from` until the next one's. */
  player_keys: {
    kid: string;
    private_jwk: Json<JWK>;
    public_jwk: Json<JWK>;
    created_at: number;
    signs_from: number;
  };
  guests: GuestsTable;
  guest_scores: GuestScoresTable;
  guest_stats: GuestStatsTable;
  guest_unlocks: GuestUnlocksTable;
  saves: SavesTable;
  /** The last version that was given to a save of a player in a space: none is given twice. */
  save_counters: { space_id: SpaceId; env: Env; player_id: PlayerId; last_version: number };
  save_losers: SaveLosersTable;
  account_plays: AccountPlaysTable;
  /** What players of a space made for its other players. */
  content: ContentTable;
  /** Who likes what, once each. */
  content_likes: { content_id: ContentId; player_id: AccountId; at: number };
  rooms: RoomsTable;
  /** Processes that have rooms, each with where the others reach it, and the end of its lease: it lives until then. */
  room_nodes: { id: RoomNodeId; address: string; until: number };
  /** Tickets that nobody has used yet, by SHA-256. */
  room_tickets: { hash: string; room_id: RoomId; who: Json<TicketHolder>; expires_at: number };
  space_days: SpaceDaysTable;
  play_counts: PlayCountsTable;
  error_groups: ErrorGroupsTable;
  error_versions: ErrorVersionsTable;
  /** How often an error happened in which browser: "Firefox 140". */
  error_browsers: { error_id: string; browser: string; count: number };
  /** Whether a space's owner is mailed of new errors; they are where there is no row. */
  error_mails: { space_id: SpaceId; is_on: Flag };
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  /** The last first place of a board that its space's webhooks were told. */
  told_records: { board_id: BoardId; submission_id: number; told_at: number };
  jobs: JobsTable;
  /** One row a counted action: limits are exact on both engines and across processes. */
  rate_hits: { bucket: string; at: number };
}

export type Flag = 0 | 1;

export interface CreatorsTable {
  id: AccountId;
  /** As shown; null until picked. */
  handle: string | null;
  name: string;
  email: string;
  operator: Flag;
  banned_at: number | null;
  created_at: number;
  email_verified: Generated<Flag>;
  updated_at: Generated<number>;
  /** 0 where others do not see what the account has played: its scores and achievements outside rankings. */
  plays_public: Generated<Flag>;
  /** When its owner deleted it: a banned account without handle, name or address, until its spaces are gone. */
  deleted_at: Generated<number | null>;
}

/** A browser that is signed in. */
export interface AuthSessionsTable {
  id: SessionId;
  /** SHA-256 of what the cookie holds. */
  token: string;
  creator_id: AccountId;
  expires_at: number;
  created_at: number;
  updated_at: number;
  ip_address: string | null;
  user_agent: string | null;
  /** Wrong device codes typed since the last lock. */
  wrong_codes: Generated<number>;
  /** Until then no device code is looked at in this session. */
  codes_locked_until: number | null;
}

/** How a creator can sign in with a password: `provider_id` is `credential`, `account_id` the creator's id. */
export interface AuthAccountsTable {
  id: string;
  provider_id: string;
  account_id: string;
  creator_id: AccountId;
  /** scrypt, as `accounts/password-hash.ts` writes it. */
  password: string | null;
  created_at: number;
  updated_at: number;
}

/** Password resets and passkey challenges that are under way; `identifier` is a hash. */
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

/** A device sign-in (RFC 8628), from its start to its exchange. */
/** Programs that registered themselves (RFC 7591). */
export interface OAuthClientsTable {
  id: string;
  name: string;
  redirect_uris: Json<readonly string[]>;
  created_at: number;
  /** When somebody last let it in; null until then. */
  used_at: number | null;
}

/** Codes of people who let a program in (RFC 6749 §4.1). */
export interface OAuthCodesTable {
  /** SHA-256 of the code. */
  hash: string;
  /** Of `oauth_clients`, or the address of a document. */
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** SHA-256 of the verifier, in base64url. */
  challenge: string;
  /** What was given, as in `api_tokens`. */
  scopes: string;
  space_id: SpaceId | null;
  creator_id: AccountId;
  /** The token it was exchanged for; null until then. */
  token_id: TokenId | null;
  created_at: number;
  expires_at: number;
}

export interface DeviceLoginsTable {
  id: DeviceLoginId;
  device_hash: string;
  /** Eight letters, without the hyphen that is shown. */
  user_code: string;
  client_name: string | null;
  /** Where the device asked from. */
  address: string;
  status: 'pending' | 'approved' | 'denied' | 'exchanged';
  /** Who decided. */
  creator_id: AccountId | null;
  /** Five more for every poll that came too early. */
  interval_seconds: number;
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** What was asked for, as in `api_tokens`; once approved, what was given. */
  scopes: Generated<string>;
  /** The slug of the one space that was asked for, as the device spelled it. */
  asked_space: string | null;
  /** Of the creator's own: set by the approval. */
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
  /** Names of scopes, with a space between two. */
  scopes: Generated<string>;
  /** The one space it is for; null for all of the creator's. */
  space_id: SpaceId | null;
}

/** What a space is to the service, whatever its creator does. */
export type Standing = 'listed' | 'unlisted' | 'held' | 'hidden' | 'removed';

export interface SpacesTable {
  id: SpaceId;
  slug: string;
  owner_id: AccountId | null;
  hosted: Flag;
  claimed: Flag;
  /** What everyone meets: the standing, or what covers it (docs/decisions/0010). */
  state: Standing | 'offline' | 'deleted';
  /** What listing and operators make of it, where something covers that; null where `state` says it. */
  standing: Standing | null;
  /** 1 while its creator has it offline. */
  offline: Flag;
  /** 1 while the account that owns it is banned. */
  owner_banned: Flag;
  /** When its creator deleted it. */
  deleted_at: number | null;
  /** The creator's address of a listed space; null for a hosted one, whose address comes from its slug. */
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
  /** `page.unlisted` again, for the gallery to filter by. */
  page_unlisted: Flag;
  /** The folded title, for the operators' list. */
  search_title: string;
  /** The states that operators' actions covered, the last one on top: what release and restore uncover. */
  states_before: Json<Standing[]>;
  /** How many pictures were ever asked for: the number of the last one. */
  takes: number;
  /** Pictures are taken so long after the page has loaded; 0: as soon as something is to be seen. */
  clip_after_seconds: number;
  /** The newest picture that was taken. */
  clip: Json<StoredClip> | null;
  /** The owner's own picture. */
  cover: Json<StoredCover> | null;
  plays: number;
  /** The version served now. One column, so that going live is one update and two can never be live. */
  live_version_id: VersionId | null;
  next_version: number;
  /** Counts every change of the space: its ETag, and what a move compares. */
  revision: number;
  created_at: number;
  updated_at: number;
}

/** A space that a search finds. Its tokens are the engine's own: platform/db/dialect.ts. */
export interface SearchDocsTable {
  id: Generated<number>;
  space_id: SpaceId;
  /** Words of the title as they are compared, with spaces between. */
  title: string;
  /** As `title`, of tags and creator. */
  names: string;
}

/** What the column `cover` of a space holds. */
export interface StoredCover {
  /** On the app, with its leading slash. */
  readonly path: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly setAt: number;
}

/** What the column `clip` of a space holds. */
export interface StoredClip {
  /** On the app, with its leading slash. */
  readonly path: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly take: number;
  readonly takenAt: number;
}

/** What a listed page's head declared at its last sync. */
export interface PageDeclarationsTable {
  space_id: SpaceId;
  /** The last good block; null where the page never had one. */
  declared: Json<BoardsBlock> | null;
  /** What is wrong with the block that is there now, for the owner. */
  warning: string | null;
  synced_at: number;
}

/** Which operator acted, or `admin` for a call on the machine itself. */
export type Actor = AccountId | 'admin';

/** What operators did. */
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

/** What players reported. */
export interface ReportsTable {
  id: ReportId;
  space_id: SpaceId;
  /** What a player made, where the report is of that: it may be gone by now. */
  content_id: ContentId | null;
  /** One of the contract's `reportReasons`. */
  reason: string;
  message: string;
  reported_at: number;
  state: 'open' | 'dismissed' | 'resolved';
  /** Why it was decided so. */
  note: string | null;
  decided_by: Actor | null;
  decided_at: number | null;
}

export interface VersionsTable {
  id: VersionId;
  space_id: SpaceId;
  number: number;
  status: 'uploading' | 'preview' | 'checking' | 'live' | 'refused' | 'unjudged';
  /** 1 on a checking version whose check ended without a verdict. */
  stopped: Flag;
  reason: string | null;
  /** Listing fields that take effect when the version goes live. */
  fields: Json<SpaceFieldsPatch>;
  /** What service.json declares. */
  declarations: Json<Declarations>;
  files: number;
  bytes: number;
  /** Creator or claim id. */
  created_by: Principal;
  created_at: number;
  /** When the last links given for it end; an unfinished version is dropped a day later. */
  links_expire_at: number;
  finished_at: number | null;
  /** What finish was asked for: 1 preview, 0 production. */
  finished_as_preview: Flag | null;
  live_at: number | null;
  /** Made before the space moved to a live URL. */
  left_behind: Flag;
  review_requested_at: number | null;
  review_decided_at: number | null;
  review_outcome: 'live' | 'preview' | 'superseded' | 'declined' | null;
  /** What the check found. */
  report: Json<CheckReport> | null;
}

export interface VersionPathsTable {
  version_id: VersionId;
  /** Files that an earlier version has with the same bytes: where requests for them are led. */
  origins: Json<readonly (readonly [path: string, number: number])[]>;
  /** What its page asked for first when it was checked. */
  first_files: Json<
    readonly { readonly target: string; readonly as: 'module' | 'script' | 'style' | 'font' | 'fetch' }[]
  >;
  /** When another version took its place; null while it is live, and before. */
  left_at: number | null;
}

/** A page published without an account. */
export interface UnlistedPagesTable {
  /** Who its uploads count for until it is claimed. */
  claim_id: ClaimId;
  /** SHA-256 of the claim token. */
  claim_hash: string;
  /** The space; gone once the page has expired, while this row goes on to tell the token's story. */
  space_id: SpaceId;
  created_at: number;
  expires_at: number;
  claimed_at: number | null;
  claimed_by: AccountId | null;
}

/** The owner's own picture of a space, both sizes as WebP. */
export interface CoversTable {
  space_id: SpaceId;
  /** In its address. */
  name: string;
  key: string;
  key_small: string;
}

/** The pictures of a space that are kept, both sizes as WebP. */
export interface ClipsTable {
  space_id: SpaceId;
  /** Counts up; see `spaces.takes`. */
  take: number;
  /** Where the store keeps it. */
  key: string;
  key_small: string;
  /** The version it shows; null for a listed page. */
  version_id: VersionId | null;
  taken_at: number;
}

/** What the safety check saw of a version, for its creator. */
export interface CheckPicturesTable {
  version_id: VersionId;
  /** Its address, which nobody guesses. */
  name: string;
  /** Where the store keeps it. */
  key: string;
}

/** The host name of its own that a space has, or waits for. */
export interface DomainsTable {
  space_id: SpaceId;
  host: string;
  /** What its TXT record has to say: another one for each space and each time. */
  proof: string;
  state: 'waiting' | 'live' | 'failed';
  /** What was lacking at the last look. */
  reason: string | null;
  /** Since when it is in its state: of a waiting one, when its records began to be waited for. */
  begun_at: number;
  /** Of a live one: since when they are not there any more. */
  lacking_since: number | null;
  /** When it is looked at next; never, where null. */
  due_at: number | null;
  /** Its host while it is live: no two spaces have one. */
  live_host: string | null;
}

/** Bytes that no host serves, in whichever version they are. */
export interface TakenDownFilesTable {
  hash: string;
  /** As it was mailed to the owners of the spaces. */
  reason: string;
  taken_down_at: number;
}

/** A stored file that a row names and the store has lost, or has with other bytes. */
export interface DamagedFilesTable {
  key: string;
  problem: 'missing' | 'damaged';
  found_at: number;
}

export interface BlobsTable {
  hash: string;
  /** Where the store keeps the bytes: a fresh name for every stored copy, see docs/decisions/0004. */
  key: string;
  size: number;
  /** 1 once in a version that has been public: then anyone's create may count it as had. */
  public: Flag;
  /** 1 when the bytes need shared memory: such a version is served cross-origin isolated. */
  shared_memory: Flag;
  /** 1 once its compressed forms were made, or found not worth it. */
  packed: Flag;
  created_at: number;
  /** When the collector first found it unreferenced. */
  marked_at: number | null;
}

/** Live data, or the sandbox that previews and unlisted pages write to. */
export type Env = 'live' | 'sandbox';

/** A board as declared, everything left open filled in: one row for live play and one for the sandbox. */
export interface BoardsTable {
  id: BoardId;
  space_id: SpaceId;
  env: Env;
  key: string;
  title: string;
  metric: 'score' | 'time' | 'distance' | 'count' | 'percent';
  sort: 'asc' | 'desc';
  trust: 'client' | 'server';
  keep: 'best' | 'last' | 'sum';
  unit: string | null;
  decimals: number;
  min: number | null;
  max: number | null;
  /** What players post themselves: the least length of a run, in whole seconds, and the most score in one of its seconds. */
  min_seconds: number | null;
  max_per_second: number | null;
  /** In the order declared. */
  periods: Json<Board['periods']>;
  /**
   * The rules that its rankings still follow while it is ranked anew by those above; null where they are the same.
   */
  ranked_as: Generated<Json<RankingRules> | null>;
  source: 'page' | 'api';
  /** Counts up as keys are first declared: the order they are shown in. Of stats and achievements too. */
  position: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** What of a board's declaration its rankings follow from. */
export interface RankingRules {
  readonly sort: BoardsTable['sort'];
  readonly keep: BoardsTable['keep'];
  /** In the order declared: the first is the one that answers speak of, unless `all` is among them. */
  readonly periods: readonly Board['periods'][number][];
}

/** Every score that was posted and not deleted: what entries are made from. */
export interface SubmissionsTable {
  id: Generated<number>;
  board_id: BoardId;
  player_id: PlayerId;
  score: number;
  meta: string | null;
  created_at: number;
  /** Where it was played, as its session said: null for what a space's own server posted, and for a page elsewhere. */
  version: number | null;
  /** The session it was posted in and the run it is of, by their marks; null for what a space's own server posted. */
  session: PlaySessionId | null;
  run: RunId | null;
}

/** A run whose score was posted, until it could be posted no more anyway. */
export interface UsedRunsTable {
  run: RunId;
  space_id: SpaceId;
  used_at: number;
}

/** What a run can be seen again from, of the best of a board's rankings. */
export interface ReplaysTable {
  submission_id: number;
  board_id: BoardId;
  /** Base64; `bytes` is how many it stands for. */
  data: string;
  bytes: number;
}

/** A board in one window of time: what players are ranked in. */
export interface RankingsTable {
  id: Generated<number>;
  board_id: BoardId;
  /**
   * `all`, or the day, week or month: `2026-11-21`, `2026-W47`, `2026-11`. With `+` before it, the one that is being made to take
   * its place; `-` and the id, one whose place was taken, until its entries are deleted.
   */
  window: string;
}

/** What stands for a player in a ranking, whose order is (sort_key, submission_id). Banned players have none. */
export interface EntriesTable {
  ranking_id: number;
  player_id: PlayerId;
  /** The score, or its negative where more is better: rankings run up. */
  sort_key: number;
  /** The submission that got the player to that score. */
  submission_id: number;
}

/**
 * Counts of a ranking's entries, by runs of its order (docs/decisions/0008): `n` from a run's low end to the next
 * one's. Level 0 are runs of entries, level 1 runs of those.
 */
export interface RankingSegmentsTable {
  ranking_id: number;
  level: number;
  low_key: number;
  low_id: number;
  n: number;
}

/** What a call with an Idempotency-Key was answered, for a day. */
export interface IdempotentAnswersTable {
  space_id: SpaceId;
  key: string;
  request_hash: string;
  status: number;
  /** The body. */
  answer: Json<unknown>;
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
  /** How many players have it: counted up in the transaction of each unlock. */
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
}

export interface RoomsTable {
  id: RoomId;
  space_id: SpaceId;
  env: Env;
  /** The account that opened it; null of a guest. */
  player_id: AccountId | null;
  code: string;
  max_members: number;
  /** Anybody may be led into it. */
  is_open: Flag;
  is_locked: Flag;
  /** Of `members`. */
  member_count: number;
  /** As of its last change: what another process begins with. */
  members: Json<RoomRecord>;
  /** The process that has it; anybody's who asks once that one's lease is over. */
  node_id: RoomNodeId;
  /** Counts the processes that had it: what the one before writes is not taken. */
  epoch: number;
  created_at: number;
  /** When it was opened, came to another process, or its members changed. */
  updated_at: number;
}

/** Who is in a room, and who may not be. Names are those by which the space knows players. */
export interface RoomRecord {
  readonly members: readonly {
    readonly id: string;
    readonly handle: string | null;
    /** Null of a guest. */
    readonly account: AccountId | null;
    readonly order: number;
  }[];
  readonly host: string | null;
  readonly barred: readonly string[];
}

/** Whom a ticket lets in, and from which pages. */
export interface TicketHolder {
  readonly id: string;
  readonly handle: string | null;
  readonly account: AccountId | null;
  readonly origins: readonly string[];
}

/** Somebody who plays without an account: made at the first thing that is written for the key. */
export interface GuestsTable {
  id: GuestId;
  /** SHA-256 of the key that their browser keeps. */
  key_hash: string;
  created_at: number;
  /** When they last opened a space, to the day. */
  opened_at: number;
  /** The account that all of it went to: nothing more is written for the key. */
  adopted_by: AccountId | null;
  adopted_at: number | null;
}

/** The best score of a guest on a board: in no ranking, and posted once an account adopts the guest. */
export interface GuestScoresTable {
  guest_id: GuestId;
  board_id: BoardId;
  score: number;
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

/** What was saved, as a save and the ones that lost to it have it. */
interface SavedColumns {
  space_id: SpaceId;
  env: Env;
  /** The id of an account or of a guest. */
  player_id: PlayerId;
  slot: string;
  type: 'json' | 'bytes';
  /** Of what was sent: of the JSON, or of the bytes. */
  bytes: number;
  /** SHA-256 of type and data. */
  digest: string;
  /** As the player's browser calls itself; empty where it does not. */
  device: string;
  /** When it was written. */
  at: number;
  /** JSON, or the bytes in base64. */
  data: string;
}

/** The last column is the long one: what is asked without it reads none of it. */
export interface SavesTable extends SavedColumns {
  version: number;
}

/** What lost a conflict, for a while. */
export interface SaveLosersTable extends SavedColumns {
  id: LostSaveId;
  /** The version that stood against it; 0 where the slot was empty by then. */
  lost_to: number;
  lost_at: number;
}

/** What an account has played, live play only. */
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
  /** As the space calls it. */
  kind: string;
  player_id: AccountId;
  title: string;
  data: Json<unknown>;
  /** Of `data`, as UTF-8. */
  bytes: number;
  /** Of kind, title and data: a player has the same thing once. */
  digest: string;
  /** Of `content_likes`. */
  likes: number;
  created_at: number;
}

/** What happened in a space on one day, in UTC: live play only. */
export interface SpaceDaysTable {
  space_id: SpaceId;
  /** `2026-11-21` */
  day: string;
  plays: Generated<number>;
  /** Scores posted, and by how many players; null until they were counted, which is once the day is over. */
  scores: Generated<number | null>;
  players: Generated<number | null>;
}

/** How loads of a space's version went on one day. Versions are numbers, 0 for a page that runs elsewhere. */
export interface PlayCountsTable {
  space_id: SpaceId;
  env: Env;
  version: number;
  /** Null for 0: with its version this goes. */
  version_id: VersionId | null;
  /** `2026-11-21` */
  day: string;
  what: 'sessions' | 'seconds' | 'wait' | 'bytes';
  /** A range of telemetry/histogram.ts; 0 for what has none. */
  bucket: number;
  count: number;
}

/** An error in a space while it ran, whatever versions it happened in. */
export interface ErrorGroupsTable {
  id: string;
  space_id: SpaceId;
  env: Env;
  /** The same for the same error: telemetry/fingerprint.ts. */
  fingerprint: string;
  kind: 'uncaught' | 'rejection' | 'reported';
  /** As it came first. */
  message: string;
  place: string | null;
  last_at: number;
  resolved_at: number | null;
  /** The newest version that had it then: in a newer one it is back. */
  resolved_version: number | null;
}

/** An error in one version. The last column is the long one. */
export interface ErrorVersionsTable {
  error_id: string;
  version: number;
  version_id: VersionId | null;
  count: number;
  /** Loads that it happened in, about. */
  sessions: number;
  first_at: number;
  last_at: number;
  /** 1 where no earlier version had it. */
  is_new: Flag;
  /** When its owner was mailed of it. */
  alerted_at: number | null;
  stack: string | null;
}

/** Where a space's events are sent. Its address never changes. */
export interface WebhooksTable {
  id: WebhookId;
  space_id: SpaceId;
  url: string;
  events: Json<readonly WebhookEvent[]>;
  /** What signs what it is sent: base64 of 32 bytes. */
  key: string;
  /** Its place in the list that its owner wrote. */
  position: number;
  off_at: number | null;
  off_reason: 'gone' | 'failing' | null;
  /** Attempts in a row that failed, of whatever event. */
  failures: number;
  created_at: number;
}

/** An event for one webhook, with the last answer to it. */
export interface WebhookDeliveriesTable {
  /** It may have been taken off the list since. */
  webhook_id: WebhookId;
  /** The same for every webhook that the event is for. */
  event_id: string;
  space_id: SpaceId;
  type: WebhookEvent | typeof testEvent;
  /** What is sent, to the byte. */
  body: string;
  state: 'waiting' | 'delivered' | 'failed' | 'limited';
  /** Since when it is tried: since it happened, or since it was last to be sent again. */
  since: number;
  /** Attempts since then. */
  attempts: number;
  /** When it is tried next; null where it does not wait. */
  next_at: number | null;
  /** The last attempt; the status is null where no answer came. */
  tried_at: number | null;
  status: number | null;
  answer: string | null;
  ms: number | null;
  created_at: number;
}

export interface JobsTable {
  id: JobId;
  kind: string;
  /** What it is about, e.g. a version id; a kind and a ref have at most one job. */
  ref: string;
  run_at: number;
  /** How often it was asked for: one that is asked for while it runs runs once more. */
  asks: Generated<number>;
  lease: LeaseId | null;
  leased_until: number | null;
  /** Runs that were begun, without those that an outage ended. */
  attempts: number;
  /** How often in a row an outage of database, store or machine ended a run: how long to wait for the next. */
  outages: Generated<number>;
  last_error: string | null;
  /** Set when it was given up. */
  failed_at: number | null;
  created_at: number;
}

export type Db = Kysely<Schema>;
