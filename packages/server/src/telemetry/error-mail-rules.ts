import type { SpaceId } from '../platform/db/ids.ts';
import { givenId } from '../platform/db/ids.ts';

/** The job that mails a space's owner of new errors in a version. */
export const errorMailJob = 'error-mail';

/** A version is new for so long. */
export const newVersionMs = 7 * 86_400_000;
/** One mail a version in this time. */
export const mailEveryMs = 86_400_000;

/** An error in fewer loads alarms nobody: it may be one browser's. */
export const leastSessions = 3;
/** In so many it does, however many loads there were. */
const enoughSessions = 5;
/** Between both, where it is at least this part of all loads. */
const enoughPart = 0.05;

/** Whether an error that is new in a version is worth a mail; `all` are the loads of that version. */
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
