import { putShim } from '../shim-host.ts';
import { createPlayables } from './playables.ts';

putShim('ytgame', createPlayables);
