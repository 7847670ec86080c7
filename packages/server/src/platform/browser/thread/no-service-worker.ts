/**
 * A script for pages: `register` gives a registration whose worker never comes. Playwright's own block gives undefined,
 * so that pages which use their registration, as most do, would have an error that players never see.
 */
export const noServiceWorker = `
if (self.ServiceWorkerContainer) {
  ServiceWorkerContainer.prototype.register = async (script, { scope } = {}) => {
    const registration = new EventTarget();
    const at = new URL(script, document.baseURI);
    return Object.assign(registration, {
      scope: (scope === undefined ? new URL('./', at) : new URL(scope, document.baseURI)).href,
      updateViaCache: 'imports',
      installing: null,
      waiting: null,
      active: null,
      onupdatefound: null,
      update: async () => registration,
      unregister: async () => true,
    });
  };
}
`;
