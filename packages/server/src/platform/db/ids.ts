/** Never there: it keeps what an id is of in its type. */
declare const of: unique symbol;

type Id<Kind extends string> = string & { readonly [of]: { readonly [Each in Kind]: true } };

export type SpaceId = Id<'space'>;
export type VersionId = Id<'version'>;
export type BoardId = Id<'board'>;

/** By what an id begins with. What is named nowhere but in its own row is a plain string. */
export interface Ids {
  spc: SpaceId;
  ver: VersionId;
  brd: BoardId;
  usr: string;
  gst: string;
  clm: string;
  tok: string;
  rep: string;
  aud: string;
  auth: string;
  dev: string;
  job: string;
  lease: string;
  lost: string;
  mail: string;
  rec: string;
  run: string;
}

/**
 * The id that a path, a job or a token names, which is all that is known of it: it may be of nothing, as that of a row
 * that was deleted, and whoever looks its row up finds out.
 */
export function givenId<Prefix extends keyof Ids>(_prefix: Prefix, text: string): Ids[Prefix] {
  return text as Ids[Prefix];
}
