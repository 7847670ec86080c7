import { leftOutReason } from '@spaceport/contract/left-out';

/** Returns why a file at this path is in no upload, and what helps; null if one may be there. */
export function neverPublished(path: string): { readonly reason: string; readonly fix: string } | null {
  const reason = path
    .split('/')
    .map(leftOutReason)
    .find((one) => one !== null);
  if (!reason) return null;
  const fix = reason.startsWith('node_modules')
    ? 'Run the build (npm run build) and publish the folder it makes, usually dist; or copy the file into a folder with another name, such as lib, and name it there.'
    : 'Give it a name that is published, without a dot in front.';
  return { reason, fix };
}
