/**
 * Says how to make a version's files live when the version itself cannot go live.
 * @param app the address of the service
 */
export function publishAgain(app: string): string {
  return `publish the same files again (POST ${app}/api/v1/hosting/versions; none of them has to be uploaded again) and finish that version with { "preview": false }.`;
}
