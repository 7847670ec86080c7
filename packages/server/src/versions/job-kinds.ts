/** The safety check of a version. */
export const checkJob = 'check';
/** Making the compressed forms of a version's files. */
export const packJob = 'pack';
