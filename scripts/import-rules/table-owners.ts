/** The room of every table. Only its queries may write the table; other rooms call the room. */
const tablesOfRooms: Readonly<Record<string, string>> = {
  accounts: `creators spent_handles api_tokens auth_sessions auth_accounts auth_verifications auth_passkeys
    device_logins`,
  achievements: 'stats achievements player_stats unlocks',
  boards: `boards board_players submissions replays rankings rerank_changes entries ranking_segments board_secrets
    told_records`,
  clips: 'clips covers check_pictures',
  content: 'content content_likes',
  domains: 'domains',
  guests: 'guests guest_scores guest_replays guest_stats guest_unlocks',
  listing: 'page_declarations blocked_addresses',
  moderation: 'bans',
  oauth: 'oauth_clients oauth_codes',
  operators: 'audit_log reports',
  platform: 'settings outgoing_mails jobs rate_hits',
  'player-calls': 'used_runs',
  players: 'player_keys',
  plays: 'space_days account_plays',
  rooms: 'rooms room_nodes room_tickets',
  saves: 'saves save_counters save_losers',
  search: 'search_docs search_labels search_state',
  'server-calls': 'idempotent_answers',
  spaces: 'spaces slugs space_urls',
  telemetry: 'play_counts error_groups error_versions error_browsers error_mails',
  unlisted: 'unlisted_pages',
  versions: `versions manifests preview_links ended_labels review_links blobs damaged_files taken_down_files
    taken_down_versions blob_forms
    blob_uploads stored_bytes version_paths blob_deltas create_keys`,
  webhooks: 'webhooks webhook_deliveries',
};

export const owners: ReadonlyMap<string, string> = new Map(
  Object.entries(tablesOfRooms).flatMap(([room, tables]) =>
    tables.split(/\s+/u).map((table) => [table, room] as const),
  ),
);

/** Room → table → why. */
type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const joined = 'joined, so that one statement answers a list';
const inOneStatement = 'asked on every call, in one statement';

/** Tables of other rooms that a room's queries may read. */
export const reading: Exceptions = {
  accounts: {
    spaces: 'tokens name their space, and an account its own; spaces know accounts',
    versions: 'what an account has published, for its owner; versions know accounts',
    jobs: 'whether a closed account still has work under way',
    settings: 'the first account, made once',
  },
  achievements: { bans: inOneStatement, creators: joined },
  activity: { boards: joined, space_days: 'figures of plays, written by plays', submissions: joined },
  boards: { bans: inOneStatement, creators: joined, spaces: joined },
  clips: { spaces: joined },
  content: {
    bans: inOneStatement,
    creators: joined,
    reports: 'how many of them are open, for who moderates',
  },
  domains: { creators: joined, spaces: 'the slug that a host leads to' },
  gallery: { creators: 'the creator whose page it is' },
  guests: { achievements: inOneStatement, boards: joined },
  moderation: { board_players: joined, boards: joined, creators: joined, submissions: joined },
  operators: {
    blocked_addresses: 'the list of what is blocked',
    content: joined,
    creators: joined,
    jobs: 'how long work waits',
    spaces: joined,
    versions: joined,
  },
  'own-play': {
    account_plays: joined,
    achievements: joined,
    board_players: inOneStatement,
    content: joined,
    content_likes: joined,
    creators: inOneStatement,
    player_stats: joined,
    save_losers: joined,
    saves: joined,
    spaces: joined,
    unlocks: joined,
  },
  'player-calls': {
    creators: inOneStatement,
    preview_links: inOneStatement,
    spaces: inOneStatement,
    unlisted_pages: joined,
    versions: inOneStatement,
  },
  players: {
    creators: inOneStatement,
    preview_links: inOneStatement,
    spaces: inOneStatement,
    unlisted_pages: inOneStatement,
    versions: inOneStatement,
  },
  rooms: { spaces: 'whether they are played now, asked of all rooms at once' },
  sandbox: { boards: 'which boards a reset empties' },
  search: { creators: 'whose name a space is found by', spaces: 'what is searched' },
  'server-calls': { board_secrets: inOneStatement, spaces: inOneStatement },
  spaces: { creators: joined, page_declarations: joined, versions: joined },
  telemetry: { creators: joined, spaces: joined, versions: joined },
  unlisted: { slugs: joined, spaces: joined },
  versions: {
    creators: inOneStatement,
    slugs: joined,
    spaces: joined,
    unlisted_pages: joined,
  },
  webhooks: { creators: joined, spaces: joined },
};

/** Tables of other rooms that a room's queries may write. */
export const writing: Exceptions = {
  accounts: {
    oauth_codes: 'codes end with the password that approved them; oauth knows accounts',
    settings: 'the first account, made once',
  },
  moderation: { submissions: 'deleting a submission is moderation, and ranks anew through boards' },
  plays: { spaces: 'the count of plays, in the statement that counts the day' },
  versions: {
    jobs: 'the jobs of a version go with it, in its transaction',
  },
};
