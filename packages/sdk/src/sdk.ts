import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import { answerPortals } from './portal-scripts.ts';
import { start } from './start.ts';

/** Where the service writes, in the script that it serves, what it knows. */
declare const SPACEPORT_SERVED: ServedModule;

const served = SPACEPORT_SERVED;
let times = 0;
// Browsers remember for good that an address could not be loaded: the next time it is asked for by another one.
const loadSecond = () => import(/* @vite-ignore */ `${served.together}#${times++}`);
Reflect.set(window, 'Spaceport', start(served, window, loadSecond));
answerPortals(window, served.shims);
