import type { MeData } from '@spaceport/contract/first-data';
import { saveSlot } from '@spaceport/contract/saves';
import type { Accounts } from '../accounts/accounts.ts';
import { removeOwn } from '../content/content.ts';
import { forgetPlayer } from '../moderation/forget-player.ts';
import { readOwnPlay } from '../own-play/read-own-play.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { deleteLost, restoreLost } from '../saves/losers.ts';
import type { Saves } from '../saves/saves.ts';
import { findSpaceBySlug } from '../spaces/spaces.ts';
import type { PageDocument, PageScope } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';
import { type SignedIn, signedIn } from './signed-in.ts';

/** The message after each form, by the name in the address that the form redirects to. */
const doneTexts: ReadonlyMap<string, string> = new Map([
  ['shown', 'Others see your scores and achievements on your page from now on.'],
  ['hidden', 'Only you see your scores and achievements together from now on.'],
  ['restored', 'The save is back in its slot. What stood there is kept below.'],
  ['forgotten', 'The save is deleted.'],
  ['removed', 'What you made is removed: nobody sees it any more.'],
  ['deleted', 'Everything you played is deleted.'],
]);

/** /me: the account's own play, with forms that work without script. */
export function mountMe(
  scope: PageScope,
  platform: Platform,
  { accounts, saves }: { accounts: Accounts; saves: Saves },
): void {
  const { database } = platform;

  const show = async (page: SignedIn, problem: string | null = null): Promise<PageDocument> => {
    const done = problem === null ? (doneTexts.get(page.query.done ?? '') ?? null) : null;
    const data: MeData = { play: await readOwnPlay(platform, page.session.creator.id), done, problem };
    return { title: 'What you played', client: { page: 'me', data } };
  };

  /** Mounts a form: it does its work, and then shows the page again, with the problem if it was refused. */
  const form = (path: string, work: (page: SignedIn, accountId: AccountId) => Promise<string>) =>
    scope.post(
      path,
      signedIn((page) =>
        shownAgain(
          async () => ({ redirect: `/me?done=${await work(page, page.session.creator.id)}` }),
          { values: {}, fields: [] },
          ({ problem }) => show(page, problem),
        ),
      ),
    );

  scope.get(
    '/me',
    signedIn((page) => show(page)),
  );

  form('/me/public', async ({ form: sent }, accountId) => {
    await accounts.showPlays(accountId, sent.public === '1');
    return sent.public === '1' ? 'shown' : 'hidden';
  });
  form('/me/losers/restore', async ({ form: { id = '' } }, accountId) => {
    await database.transaction((tx) => restoreLost(tx, accountId, givenId('lost', id)));
    return 'restored';
  });
  form('/me/losers/delete', async ({ form: { id = '' } }, accountId) => {
    await database.transaction((tx) => deleteLost(tx, accountId, givenId('lost', id)));
    return 'forgotten';
  });
  form('/me/saves/delete', async ({ form: { space = '', slot = '', version = '' }, session, request }) => {
    const found = await findSpaceBySlug(database.db, space);
    if (!found || !saveSlot.safeParse(slot).success)
      throw new ServiceError('not_found', 'There is no such save any more.');
    const { id, handle } = session.creator;
    const who = { kind: 'account' as const, playerId: id, handle };
    const place = { spaceId: found.id, env: 'live' as const };
    await saves.remove({ who, address: request.address }, place, slot, Number(version));
    return 'forgotten';
  });
  form('/me/content/remove', async ({ form: { id = '' } }, playerId) => {
    await removeOwn(platform, { id: givenId('cnt', id), playerId });
    return 'removed';
  });
  form('/me/delete', async (_page, accountId) => {
    await forgetPlayer(platform, accountId, platform.closing);
    return 'deleted';
  });
}
