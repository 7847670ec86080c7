import { bytes } from './config-parsers.ts';
import { type Setting, setting } from './setting.ts';

const MiB = 1024 * 1024;

/** A size as a default: `usual`, or one part in `oneIn` of the memory if that is less, but not under `least`. */
function memoryShare({
  usual,
  least = 0,
  oneIn,
}: {
  usual: number;
  least?: number;
  oneIn: number;
}): Setting<number>['default'] {
  return ({ memoryBytes }) => String(Math.max(least, Math.min(usual, Math.floor(memoryBytes / oneIn))));
}

/** How much memory is used for what. The defaults fit the machine or the container. */
export const memorySettings = {
  BODY_MEMORY_BYTES: setting(
    bytes,
    memoryShare({ usual: 64 * MiB, least: 22 * MiB, oneIn: 16 }),
    'Memory for the bodies of all requests at once, at least 16 MiB, and 22 MiB for several processes. One network may use a quarter of it. Further requests are answered 503. Less than a gigabyte of memory lowers the default, to no less than 22 MiB.',
  ),
  SERVING_CACHE_BYTES: setting(
    bytes,
    memoryShare({ usual: 128 * MiB, oneIn: 8 }),
    'Memory for small hot files of live spaces. The default is an eighth of the memory of the machine or container, if that is less.',
  ),
  RESPONSE_CACHE_BYTES: setting(
    bytes,
    memoryShare({ usual: 64 * MiB, oneIn: 16 }),
    'Memory for the cache of answers and pages that are the same for everyone; 0 turns the cache off. The default is a sixteenth of the memory of the machine or container, if that is less.',
  ),
};
