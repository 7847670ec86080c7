/** The safety check of a version on its way to be live. */
export const checkJob = 'check';
/** The safety check of a preview, which is shown meanwhile. */
export const previewCheckJob = 'check-preview';
/** Finding the versions that have a file which is taken down. */
export const takeDownJob = 'take-down';
/** Making the compressed forms of a version's files. */
export const packJob = 'pack';
