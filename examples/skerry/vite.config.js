// `npm run build` writes dist/, the folder to publish. Addresses are relative, because a preview is on
// another host.
export default { base: './', build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 800 } };
