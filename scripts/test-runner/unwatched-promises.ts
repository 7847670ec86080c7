/**
 * Loaded before node's test runner, which has every promise watched so that it can tell which test a new test or an error
 * belongs to: that takes a tenth of the processor time of a file with a service. Once the first test begins all of them are
 * known. An error that nobody catches then fails the file instead of the test.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const watching: AsyncHook[] = [];
const { createHook } = asyncHooks;

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  if (new Error().stack?.includes('internal/test_runner')) watching.push(hook);
  return hook;
};

/** From here on promises are left alone. */
export function leavePromisesAlone(): void {
  for (const hook of watching.splice(0)) hook.disable();
}
