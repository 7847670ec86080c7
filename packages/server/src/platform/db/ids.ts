/** Never there: it keeps what an id is of in its type. */
declare const of: unique symbol;

type Id<Kind extends string> = string & { readonly [of]: { readonly [Each in Kind]: true } };

export type SpaceId = Id<'space'>;
export type VersionId = Id<'version'>;
export type BoardId = Id<'board'>;
/** Whoever plays. */
export type PlayerId = Id<'player'>;
/** An account, which is a player too. Names say `creatorId` where it publishes and `playerId` where it plays. */
export type AccountId = Id<'player' | 'account'>;
/** A player without an account. */
export type GuestId = Id<'player' | 'guest'>;
export type ClaimId = Id<'claim'>;
/** In whose name files are uploaded and versions made. */
export type Principal = AccountId | ClaimId;

export type TokenId = Id<'token'>;
export type ReportId = Id<'report'>;
/** A browser that is signed in. */
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
/** A process that has rooms, as long as it lives. */
export type RoomNodeId = Id<'room node'>;
/** A save that lost a conflict. */
export type LostSaveId = Id<'lost save'>;
/** An opening of a space by whoever plays, and one run in it: 128 random bits, in no table of their own. */
export type PlaySessionId = Id<'play session'>;
export type RunId = Id<'run'>;

/** By what an id begins with. What is named nowhere but in its own row is a plain string. */
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
  /** These two are random bits with nothing before them. */
  play: PlaySessionId;
  run: RunId;
}

/**
 * The id that a path, a job or a token names, which is all that is known of it: it may be of nothing, as that of a row
 * that was deleted, and whoever looks its row up finds out.
 */
export function givenId<Prefix extends keyof Ids>(_prefix: Prefix, text: string): Ids[Prefix] {
  return text as Ids[Prefix];
}
