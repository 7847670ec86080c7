import type { FoundDevice, OwnPasskey, OwnSession } from './account-access.ts';
import type { DocumentFrame } from './document-frame.ts';
import type { Domain } from './domains.ts';
import type { PublicSpace, PublicSpacePage, Sort } from './gallery.ts';
import type { MySpace, OwnSpace } from './listing.ts';
import type { OwnAccount } from './own-account.ts';
import type { OwnPlay, PublicPlay } from './own-play.ts';
import type { OwnToken } from './own-tokens.ts';
import type { Scope } from './scopes.ts';
import type { Player } from './sdk-protocol.ts';
import type { SpaceType } from './spaces.ts';

/**
 * The data that the server writes into a page's document, as JSON in `<script type="application/json"
 * id="first-data">`, so that the page renders without a request. It has only types: server and pages are
 * built from the same sources.
 */
export interface FirstData<Page extends PageName = PageName> {
  /** The module that draws the page: packages/web/src/pages/{page}/{page}.page.tsx. */
  readonly page: Page;
  readonly frame: DocumentFrame;
  readonly data: PageData[Page];
}

/** Page name → the data in its document; null for a page that requests all its data from the API. */
export interface PageData {
  readonly gallery: GalleryData;
  readonly space: SpaceData;
  readonly creator: CreatorData;
  readonly dashboard: DashboardData;
  readonly manage: ManageData;
  readonly operator: null;
  readonly drop: null;
  readonly handle: NextFormData;
  readonly 'sign-in': SignInData;
  readonly 'sign-up': NextFormData;
  readonly 'sign-out': null;
  readonly reset: ResetData;
  readonly 'new-password': NewPasswordData;
  readonly verify: VerifyData;
  readonly device: DeviceData;
  readonly authorize: AuthorizeData;
  readonly claim: ClaimData;
  readonly settings: SettingsData;
  readonly me: MeData;
  readonly problem: ProblemData;
}

export type PageName = keyof PageData;

/** A page's name with the data of that page. */
export type PageWithData = {
  readonly [Page in PageName]: { readonly page: Page; readonly data: PageData[Page] };
}[PageName];

export interface GalleryData {
  /** The search text in the address. */
  readonly q: string;
  readonly tag: string | null;
  readonly spaceType: SpaceType | null;
  /** Null is the default: the best match first in a search, else the newest first. */
  readonly sort: Sort | null;
  readonly spaces: readonly PublicSpace[];
  readonly next: string | null;
}

/** The page's own facts about the space in its frame. No message of the frame changes them. */
export interface StageData {
  /** The space's name in calls: the slug, or the label of a preview. */
  readonly space: string;
  /** Where scores, saves and unlocks are written. */
  readonly env: 'live' | 'sandbox';
  /** The number of the version that is shown; null for a page that runs elsewhere. */
  readonly version: number | null;
  /** False if the space itself shows what the player won. */
  readonly toasts: boolean;
  /** The key under which the page keeps the space's `localStorage`; null if the page does not keep it. */
  readonly storage: string | null;
}

/** A player of a space, as the page of the space knows it. */
export interface KnownPlayer {
  readonly player: Player;
  /** The id of the account, the same in every space; null for a guest. The game does not get it. */
  readonly account: string | null;
}

export interface SpaceData {
  /** The space with the boards and achievements of this environment. */
  readonly space: PublicSpacePage;
  readonly stage: StageData;
  /** Address that the frame opens; null before anything was published. */
  readonly frame: string | null;
  /** Whether the space starts automatically or waits for the player's click. */
  readonly start: 'auto' | 'click';
  /** The viewer as a player of this space; null for a visitor, whom only the browser knows. */
  readonly playsAs: KnownPlayer | null;
  /** Whether the viewer made the space. */
  readonly isOwn: boolean;
  /** Whether this is the page of a preview's link. */
  readonly isPreview: boolean;
  /** ISO 8601: when a preview, or a page published without an account, ends; null for a page that stays. */
  readonly expiresAt: string | null;
}

export interface CreatorData {
  readonly handle: string;
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  readonly spaces: readonly PublicSpace[];
  /** Null if the player does not show it to others. */
  readonly played: PublicPlay | null;
}

/** The viewer's own play. */
export interface MeData {
  readonly play: OwnPlay;
  /** What a form of the document has just done, as a sentence; null where none was sent. */
  readonly done: string | null;
  /** Why a form of the document was refused, as a sentence; null if none was. */
  readonly problem: string | null;
}

/** The first page of the viewer's own spaces. */
export interface DashboardData {
  readonly spaces: readonly MySpace[];
  readonly next: string | null;
}

/** One space of the viewer's own. */
export interface ManageData {
  readonly space: OwnSpace;
  /** ETag of the space, for If-Match. */
  readonly etag: string;
  /** Null if the service does not offer own host names. */
  readonly domain: OfferedDomain | null;
}

/** The host name of a space, on a service that offers own host names. */
export interface OfferedDomain {
  /** Null before one is set. */
  readonly own: Domain | null;
}

/**
 * A form as the document shows it: empty at first; after a refusal with the typed values and the problems.
 */
export interface ShownForm {
  /** Field → typed value; never a password. */
  readonly values: Readonly<Record<string, string>>;
  /** Field → what is wrong with it. */
  readonly problems: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole, as a sentence. */
  readonly problem: string | null;
}

/** A form that leads to another page when it succeeds. */
export interface NextFormData {
  /** Path of the app that a successful form leads to. */
  readonly next: string;
  readonly form: ShownForm;
}

export interface SignInData extends NextFormData {
  /** The password was just reset. */
  readonly passwordIsNew: boolean;
}

export interface ResetData {
  readonly form: ShownForm;
  /** The address that a link was just sent to, if such an account exists; null if no link was asked for. */
  readonly sentTo: string | null;
  /** The page that signing in was to lead to. */
  readonly next: string;
}

/** The token of a link in a mail. */
export interface LinkData {
  readonly token: string;
}

export interface NewPasswordData extends LinkData {
  readonly form: ShownForm;
}

export interface VerifyData extends LinkData {
  readonly isDone: boolean;
}

export interface ClaimData {
  readonly form: ShownForm;
  /** The space that the form has just claimed. */
  readonly claimed: ClaimedSpace | null;
}

export interface ClaimedSpace {
  readonly slug: string;
  readonly title: string;
  readonly service_url: string;
}

export interface DeviceData {
  /** The form for the code, or, if a device waits with the code, the form for the decision. */
  readonly form: ShownForm;
  /** The device that waits with the code; null if no code was given or no device waits with it. */
  readonly asked: FoundDevice | null;
  /** The decision that the form has just made. */
  readonly decided: DecidedDevice | null;
}

export interface AuthorizeData {
  readonly clientName: string;
  /** The host whose document describes the client; null for a client that registered itself. */
  readonly clientSite: string | null;
  /** Where the answer is sent. */
  readonly leadsTo: { readonly host: string; readonly kind: 'site' | 'machine' | 'program' };
  readonly scopes: readonly Scope[];
  /** The client may be limited to one of these. */
  readonly spaces: TokenChoice['spaces'];
  /** The slug that the form was sent with; empty for all spaces. */
  readonly space: string;
  /** Path and query of the form. */
  readonly action: string;
  /** Why the form was refused, as a sentence. */
  readonly problem: string | null;
}

export interface DecidedDevice {
  readonly clientName: string | null;
  readonly decision: 'approve' | 'deny';
}

/** The choices for a new token, and its longest lifetime. */
export interface TokenChoice {
  /** The spaces of the account, sorted by title; null if they are too many for a list. */
  readonly spaces: readonly { readonly slug: string; readonly title: string }[] | null;
  readonly maxDays: number;
}

/** An account, and the tokens, passkeys and sessions that act in its name. */
export interface SettingsData {
  readonly account: OwnAccount;
  readonly tokens: OwnPageOf<OwnToken>;
  readonly tokenChoice: TokenChoice;
  readonly passkeys: readonly OwnPasskey[];
  readonly sessions: OwnPageOf<OwnSession>;
  /** What a form of the document has just done, as a sentence; null where none was sent. */
  readonly done: string | null;
  /** The form of the document that was refused. */
  readonly refused: RefusedSetting | null;
  /** The token that a form has just made; it is shown once. */
  readonly madeToken: string | null;
}

/** A page of a list in the settings. */
export interface OwnPageOf<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** The cursor of this page, as the address has it; null on the first one. */
  readonly at: string | null;
}

export interface RefusedSetting {
  readonly setting: 'name' | 'email' | 'password' | 'make-token' | 'narrow-token' | 'delete';
  /** The id of the entry that the form was to change, if there are several. */
  readonly id: string | null;
  readonly form: ShownForm;
}

/** The data of an error page. */
export interface ProblemData {
  readonly title: string;
  /** What is wrong, in sentences. */
  readonly text: string;
  /** The request's id in the service's log; null if the error is not the service's. */
  readonly requestId: string | null;
}
