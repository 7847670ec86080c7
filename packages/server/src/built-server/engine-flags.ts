/**
 * A flag of V8 for a server that is ready. V8 would otherwise put the objects of some lines into the old heap at once,
 * because those of a start or a crowded moment stayed. There each request that has ended keeps all that belongs to it
 * until the whole heap is collected (docs/decisions/0027-where-the-time-goes.md).
 */
export const readyFlag = '--no-allocation-site-pretenuring';
