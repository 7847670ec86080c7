/**
 * Flags of V8 for the whole server. V8 would otherwise learn in a start or a crowded moment that the objects of some
 * lines stay, and would put these into the old heap at once. There each request that has ended keeps all that belongs to
 * it until the whole heap is collected (docs/decisions/0027-where-the-time-goes.md).
 */
export const engineFlags = ['--no-allocation-site-pretenuring'];
