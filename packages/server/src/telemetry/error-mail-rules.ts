import type { SpaceId } from '../platform/db/ids.ts';
import { givenId } from '../platform/db/ids.ts';

/** The job that mails a space's owner about new errors in a version. */
export const errorMailJob = 'error-mail';

/** How long a version counts as new. */
export const newVersionMs = 7 * 86_400_000;
/** At most one mail for a version is sent in this time. */
export const mailEveryMs = 86_400_000;

/** An error in fewer loads causes no mail: it may come from one browser. */
export const leastSessions = 3;
/** An error in this many loads causes a mail, however many loads there were. */
const enoughSessions = 5;
/** Between the two limits, the least share of all loads for a mail. */
const enoughPart = 0.05;

/**
 * Returns whether a new error in a version is worth a mail.
 * @param sessions the loads with the error
 * @param all all loads of the version
 */
export function isWorthMail(sessions: number, all: number): boolean {
  return sessions >= enoughSessions || (sessions >= leastSessions && sessions >= all * enoughPart);
}

export interface MailedVersion {
  readonly spaceId: SpaceId;
  readonly version: number;
}

export function errorMailRef({ spaceId, version }: MailedVersion): string {
  return `${spaceId} ${version}`;
}

export function readErrorMailRef(ref: string): MailedVersion {
  const [spaceId = '', version = ''] = ref.split(' ');
  return { spaceId: givenId('spc', spaceId), version: Number(version) };
}
