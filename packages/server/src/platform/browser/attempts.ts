import type { MostAttempts } from '../jobs/back-off.ts';
import { BrowserUnusable } from './running-browser.ts';

/**
 * The attempts of a job that needs a browser. One that does not start is waited for, some four minutes: it was perhaps
 * killed for memory.
 */
export const attemptsWithBrowser: MostAttempts = (error) => (error instanceof BrowserUnusable ? 10 : 3);
