/** The safety check of a version on its way to be live. */
export const checkJob = 'check';
/** The safety check of a preview, which is shown meanwhile. */
export const previewCheckJob = 'check-preview';
/** Making the compressed forms of a version's files. */
export const packJob = 'pack';
