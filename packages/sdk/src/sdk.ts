import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import { answerPortals } from './portal-scripts.ts';
import { start } from './start.ts';

/** The service replaces this name with its facts in the script that it serves. */
declare const SPACEPORT_SERVED: ServedModule;

const served = SPACEPORT_SERVED;
let times = 0;
// Browsers never retry a module address that failed to load, so each try uses another address.
const loadSecond = () => import(/* @vite-ignore */ `${served.together}#${times++}`);
Reflect.set(window, 'Spaceport', start(served, window, loadSecond));
answerPortals(window, served.shims);
