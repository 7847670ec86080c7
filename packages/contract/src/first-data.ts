import type { FoundDevice, OwnPasskey, OwnSession } from './account-access.ts';
import type { Domain } from './domains.ts';
import type { PublicSpace, PublicSpacePage, Sort } from './gallery.ts';
import type { MySpace, OwnSpace } from './listing.ts';
import type { OwnAccount } from './own-account.ts';
import type { OwnPlay, PublicPlay } from './own-play.ts';
import type { OwnToken } from './own-tokens.ts';
import type { Scope } from './scopes.ts';
import type { SpaceType } from './spaces.ts';

/**
 * What the server writes into a page's document, as JSON in `<script type="application/json" id="first-data">`, so that
 * the page can be drawn without asking first. Types alone: server and pages are built from the same sources.
 */
export interface FirstData<Page extends PageName = PageName> {
  /** The module that draws the page: packages/web/src/pages/{page}/{page}.page.tsx. */
  readonly page: Page;
  readonly frame: DocumentFrame;
  readonly data: PageData[Page];
}

/** What every page knows of the document that it stands in. */
export interface DocumentFrame {
  /** Who is signed in; null for a visitor. */
  readonly viewer: Viewer | null;
  /** BASE_URL */
  readonly origin: string;
  /** Path and query that were asked for. */
  readonly path: string;
  /** Where somebody goes on who signs in from the head line: this page, or where the sign-in itself leads. */
  readonly returnTo: string;
  /** When the document was made, in epoch milliseconds: what "3 minutes ago" counts from until script runs. */
  readonly now: number;
}

export interface Viewer {
  /** Null until they have chosen one. */
  readonly handle: string | null;
  readonly name: string;
  readonly operator: boolean;
}

/** Page name → what its document brings along; null for a page that asks the API for all it shows. */
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

/** A page by name with its data: for each page its own. */
export type PageWithData = {
  readonly [Page in PageName]: { readonly page: Page; readonly data: PageData[Page] };
}[PageName];

export interface GalleryData {
  /** What the address asks for. */
  readonly q: string;
  readonly tag: string | null;
  readonly spaceType: SpaceType | null;
  /** Null: the best first where something is searched for, else the newest. */
  readonly sort: Sort | null;
  readonly spaces: readonly PublicSpace[];
  readonly next: string | null;
}

/** What runs in the frame of a page, as the page knows it by itself: nothing that the frame says changes it. */
export interface StageData {
  /** As calls name it: the slug, or the label of a preview. */
  readonly space: string;
  /** Where scores, saves and unlocks go. */
  readonly env: 'live' | 'sandbox';
  /** The number of the version that is shown; null for a page that runs elsewhere. */
  readonly version: number | null;
  /** False where the space says by itself what was won. */
  readonly toasts: boolean;
  /** Under what the page keeps the space's `localStorage`; null where nobody does. */
  readonly storage: string | null;
}

export interface SpaceData {
  /** With the boards and achievements that it is played for there. */
  readonly space: PublicSpacePage;
  readonly stage: StageData;
  /** Address of what runs in the frame; null before anything was published. */
  readonly frame: string | null;
  /** Whether it starts by itself or waits for the player's click. */
  readonly start: 'auto' | 'click';
  /** The viewer made it. */
  readonly isOwn: boolean;
  /** A version that is tried, at the address of its link. */
  readonly isPreview: boolean;
  /** ISO 8601: when a preview ends, or a page that was published without an account; null for one that stays. */
  readonly expiresAt: string | null;
}

export interface CreatorData {
  readonly handle: string;
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  readonly spaces: readonly PublicSpace[];
  /** Null where the player keeps it to themselves. */
  readonly played: PublicPlay | null;
}

/** What the viewer has played. */
export interface MeData {
  readonly play: OwnPlay;
  /** What a form of the document has just done, as a sentence; null where none was sent. */
  readonly done: string | null;
  /** Why a form of it was refused. */
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
  /** For If-Match. */
  readonly etag: string;
  /** Null where the service has no host names for spaces. */
  readonly domain: OfferedDomain | null;
}

/** What a space has where the service has host names for spaces. */
export interface OfferedDomain {
  /** Null before one is set. */
  readonly own: Domain | null;
}

/** A form as the document shows it: empty at first, after a refusal with what was typed and what was wrong with it. */
export interface ShownForm {
  /** Never a password. */
  readonly values: Readonly<Record<string, string>>;
  /** Field → what is wrong with it. */
  readonly problems: Readonly<Record<string, string>>;
  /** What is wrong with the whole, as a sentence. */
  readonly problem: string | null;
}

/** A form that leads on. */
export interface NextFormData {
  /** Where to go when it has done what it is for: a path of our own. */
  readonly next: string;
  readonly form: ShownForm;
}

export interface SignInData extends NextFormData {
  /** The password was just reset. */
  readonly passwordIsNew: boolean;
}

export interface ResetData {
  readonly form: ShownForm;
  /** Where a link was just sent, if there is such an account; null where none was asked for. */
  readonly sentTo: string | null;
}

/** What a link in mail carries. */
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
  /** What was just claimed by the form. */
  readonly claimed: ClaimedSpace | null;
}

export interface ClaimedSpace {
  readonly slug: string;
  readonly title: string;
  readonly service_url: string;
}

export interface DeviceData {
  /** Of the code; where something waits with it, of what is to be decided. */
  readonly form: ShownForm;
  /** What waits with the code; null where none was given or nothing waits with it. */
  readonly asked: FoundDevice | null;
  /** What the form has just decided. */
  readonly decided: DecidedDevice | null;
}

export interface AuthorizeData {
  readonly clientName: string;
  /** The host whose document says who it is; null for a program that says so itself. */
  readonly clientSite: string | null;
  /** Where the answer goes. */
  readonly leadsTo: { readonly host: string; readonly kind: 'site' | 'machine' | 'program' };
  readonly scopes: readonly Scope[];
  /** Those of whoever is signed in: it may be let in to one alone. */
  readonly spaces: TokenChoice['spaces'];
  /** What the form was sent with, as a slug; empty for all of them. */
  readonly space: string;
  /** Path and query of the form. */
  readonly action: string;
  /** What was wrong with the form. */
  readonly problem: string | null;
}

export interface DecidedDevice {
  readonly clientName: string | null;
  readonly decision: 'approve' | 'deny';
}

/** What a new token can be for, and how long it lasts at most. */
export interface TokenChoice {
  /** By title. */
  readonly spaces: readonly { readonly slug: string; readonly title: string }[];
  readonly maxDays: number;
}

/** An account, and what may act in its name. */
export interface SettingsData {
  readonly account: OwnAccount;
  readonly tokens: readonly OwnToken[];
  readonly tokenChoice: TokenChoice;
  readonly passkeys: readonly OwnPasskey[];
  readonly sessions: readonly OwnSession[];
  /** What a form of the document has just done, as a sentence; null where none was sent. */
  readonly done: string | null;
  /** The form of the document that was refused. */
  readonly refused: RefusedSetting | null;
  /** The token that a form has just made: it is shown once. */
  readonly madeToken: string | null;
}

export interface RefusedSetting {
  readonly setting: 'name' | 'email' | 'password' | 'make-token' | 'narrow-token' | 'delete';
  /** Of what it was to change, where there are several. */
  readonly id: string | null;
  readonly form: ShownForm;
}

/** In place of a page that there is not. */
export interface ProblemData {
  readonly title: string;
  /** What is wrong, in sentences. */
  readonly text: string;
  /** By which those who run the service find it in their log; null where nothing of ours broke. */
  readonly requestId: string | null;
}
