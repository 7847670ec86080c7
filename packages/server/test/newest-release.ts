/**
 * The newest release. It lies in the repository because a clone may have no tags. Nodes of this release run
 * beside those of this version during an upgrade, so its commit is what `npm run upgrade:try` starts, and
 * migrations after its last one only expand the schema.
 */
export const newestRelease = {
  version: '0.1.0',
  commit: '3afc2e799e8d47fabdbeffb6f1aeee2e214d0f6a',
  lastMigration: '0044-domains',
};
