import { putShim } from '../shim-host.ts';
import { createCrazyGames } from './crazygames.ts';

putShim('CrazyGames', (host) => ({ SDK: createCrazyGames(host) }));
