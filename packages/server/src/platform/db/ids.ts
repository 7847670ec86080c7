/** This property never exists. It carries the kind of the id in its type. */
declare const of: unique symbol;

type Id<Kind extends string> = string & { readonly [of]: { readonly [Each in Kind]: true } };

export type SpaceId = Id<'space'>;
export type VersionId = Id<'version'>;
export type BoardId = Id<'board'>;
/** A player: an account or a guest. */
export type PlayerId = Id<'player'>;
/**
 * An account, which is also a player. Names say `creatorId` where it publishes and `playerId` where it plays.
 */
export type AccountId = Id<'player' | 'account'>;
/** A player without an account. */
export type GuestId = Id<'player' | 'guest'>;
export type ClaimId = Id<'claim'>;
/** The owner of uploads and versions: an account, or the holder of a claim. */
export type Principal = AccountId | ClaimId;

export type TokenId = Id<'token'>;
export type ReportId = Id<'report'>;
/** The session of a browser that is signed in. */
export type SessionId = Id<'session'>;
export type PasskeyId = Id<'passkey'>;
export type DeviceLoginId = Id<'device login'>;
export type JobId = Id<'job'>;
/** The time for which a job belongs to one worker. */
export type LeaseId = Id<'lease'>;
export type WebhookId = Id<'webhook'>;
/** Something that a player made for the other players of a space. */
export type ContentId = Id<'content'>;
/** A room that players meet in. */
export type RoomId = Id<'room'>;
/** A process that has rooms, for the time that it runs. */
export type RoomNodeId = Id<'room node'>;
/** A save that lost a conflict. */
export type LostSaveId = Id<'lost save'>;
/**
 * One opening of a space by a player, and one run in it: 128 random bits each. They have no tables of their
 * own.
 */
export type PlaySessionId = Id<'play session'>;
export type RunId = Id<'run'>;

/** The id types by prefix. An id that only its own row contains is a plain string. */
export interface Ids {
  spc: SpaceId;
  ver: VersionId;
  brd: BoardId;
  usr: AccountId;
  gst: GuestId;
  clm: ClaimId;
  tok: TokenId;
  rep: ReportId;
  aud: string;
  auth: string;
  ses: SessionId;
  psk: PasskeyId;
  dev: DeviceLoginId;
  cli: string;
  err: string;
  whk: WebhookId;
  evt: string;
  job: JobId;
  lease: LeaseId;
  lost: LostSaveId;
  room: RoomId;
  node: RoomNodeId;
  mail: string;
  cnt: ContentId;
  /** These two are random bits without a prefix. */
  play: PlaySessionId;
  run: RunId;
}

/**
 * Takes a text from a path, a job or a token as an id. Nothing is checked: there may be no such row, or not
 * any more, and the caller finds out by looking it up.
 */
export function givenId<Prefix extends keyof Ids>(_prefix: Prefix, text: string): Ids[Prefix] {
  return text as Ids[Prefix];
}
