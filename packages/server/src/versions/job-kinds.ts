/** The safety check of a version before it goes live. */
export const checkJob = 'check';
/** The safety check of a preview, which is shown while it is checked. */
export const previewCheckJob = 'check-preview';
/** Finds the versions that have a file which was taken down. */
export const takeDownJob = 'take-down';
/** Makes the compressed forms of a version's files. */
export const packJob = 'pack';
