import type { AccountServices } from '../accounts/account-services.ts';
import type { Authorizations } from '../oauth/authorization.ts';
import type { Platform } from '../platform/context.ts';
import { mountAuthorize } from './authorize.page.ts';
import { createAwaitedPath } from './awaited-path.ts';
import { mountDevice } from './device.page.ts';
import { mountHandle } from './handle.page.ts';
import type { PageScope } from './page-scope.ts';
import { mountReset } from './reset.page.ts';
import { mountSettings } from './settings.page.ts';
import { mountSignIn } from './sign-in.page.ts';
import { mountSignUp } from './sign-up.page.ts';
import { mountVerify } from './verify.page.ts';

/** The pages of an account. Their forms work without script too. */
export function accountPages(
  services: AccountServices & { readonly authorizations: Authorizations },
  platform: Platform,
): (scope: PageScope) => void {
  const awaitedPath = createAwaitedPath(platform.urls.app);
  return (scope) => {
    mountSignUp(scope, services);
    mountSignIn(scope, { ...services, awaitedPath });
    mountVerify(scope, services);
    mountReset(scope, { ...services, awaitedPath });
    mountHandle(scope, services);
    mountDevice(scope, services);
    mountAuthorize(scope, services);
    mountSettings(scope, platform, services);
  };
}
