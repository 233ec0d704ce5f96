/** The migrations from before the first release, which today's first files replaced (decision 0106). */
export const squashedMigrations = {
  count: 78,
  /** Today's migrations that create the same schema. */
  replacementCount: 15,
  /** This commit can run the remaining squashed migrations on a database that has only some of them. */
  lastCommit: 'b3e8d27',
  firstChecksum: 'ac21102217400dd478838716a5a59c108ce00d539e2800e4fb028a923e1043c4',
  /** SHA-256 of all their checksums, joined by newlines. */
  checksum: '3270dce90a2a1f5c5d7ae705ad50a1544fa7c5b75ddcea1ec4211a80c790462a',
}
