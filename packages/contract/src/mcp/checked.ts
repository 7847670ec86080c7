import { z } from 'zod';
import { finding, pageReport, type VersionStatus, versionStatuses } from '../versions.ts';

/** The fields about the safety check in every answer about a version. */
export const checkedShape = {
  status: z.enum(versionStatuses),
  reason: z.string().optional().meta({ description: 'Why it was refused, or could not be judged.' }),
  stopped: z
    .boolean()
    .optional()
    .meta({ description: 'True: the check has ended without a verdict; `reason` says why.' }),
  findings: z
    .array(finding)
    .meta({ description: 'What the safety check found; `fix` of each says what to change.' }),
  checked: z.boolean().meta({ description: 'False until the check has run.' }),
  page: pageReport.optional().meta({ description: 'What a browser saw when it opened the page.' }),
};

export const spaceInput = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Slug of your space; `spaces` lists them.' });

export const nextStep = z.string().meta({ description: 'What to do now.' });

interface Report {
  readonly findings: z.output<typeof finding>[];
  readonly page?: z.output<typeof pageReport> | undefined;
}

export function checkedOf({
  status,
  reason,
  stopped,
  report,
}: {
  readonly status: VersionStatus;
  readonly reason?: string | undefined;
  readonly stopped?: boolean | undefined;
  readonly report?: Report | undefined;
}) {
  return {
    status,
    ...(reason !== undefined && { reason }),
    ...(stopped && { stopped }),
    findings: report?.findings ?? [],
    checked: report !== undefined,
    ...(report?.page !== undefined && { page: report.page }),
  };
}

interface About {
  readonly status: VersionStatus;
  readonly stopped?: boolean | undefined;
  readonly findings: readonly unknown[];
  readonly checked: boolean;
  readonly versionId: string;
  readonly pageUrl: string;
  readonly claimUrl?: string | undefined;
  /** Whether only its claim token reads the version. */
  readonly isUnclaimed?: boolean | undefined;
}

/** Returns the next step after a publish or a status read, as a sentence. */
export function nextFor(about: About): string {
  const { status, stopped, findings, checked, versionId, pageUrl, claimUrl } = about;
  const version = `version ${versionId}${about.isUnclaimed ? ', and its claimToken as claim' : ''}`;
  const mend = findings.length > 0 ? ' Fix what `findings` name, and publish the whole folder again.' : '';
  const keep = claimUrl === undefined ? '' : ` To keep the page, they open ${claimUrl} and sign in.`;
  switch (status) {
    case 'live':
      return `It is live: give the person ${pageUrl}.${mend}`;
    case 'preview':
      if (!checked) return `The check has not run yet: call status with ${version}, for its findings.`;
      if (claimUrl !== undefined) return `Give the person ${pageUrl}.${keep}${mend}`;
      return `A preview for those with its link.${mend} To go live, publish the same files again with live: true.`;
    case 'checking':
      if (stopped) return 'The check ended without a verdict, as `reason` says: publish again later.';
      return `It is being checked: call status with ${version}.`;
    case 'refused':
      return 'Fix what `findings` name, as each `fix` says, and publish the whole folder again.';
    case 'unjudged':
      return 'The check could not decide: publish again, or let a person ask for a review in the dashboard.';
    case 'uploading':
      return 'Files are missing: publish the whole folder again.';
    default:
      // A newer service may have more statuses.
      return `Its status is ${status}: ${pageUrl} tells more.`;
  }
}
