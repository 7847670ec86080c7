/** How what a version holds is made live where the version itself cannot be, given the address of the service. */
export function publishAgain(app: string): string {
  return `publish the same files again (POST ${app}/api/v1/hosting/versions; none of them has to be uploaded again) and finish that version with { "preview": false }.`;
}
