// `npm run build` writes dist/, which is what is published. Addresses are relative: a preview lies at another host.
export default { base: './', build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 800 } };
