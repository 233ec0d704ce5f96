import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  accountColumnErasureRules,
  memberColumnErasureRules,
} from '#server/features/deletion/column-erasure-rules.ts'

/** Tables with rows of a member that the data export leaves out, and why. */
const leftOut: Record<string, string> = {
  deletions: 'the receipt of a deletion',
  exports: 'the export itself',
  files: 'exported as files beside the records that show them',
  group_handovers: 'an open offer of a group',
  held_usernames: 'reserves former usernames for a month',
  known_devices: 'contains hashes',
  mentions: 'derived from the texts of posts and comments',
  moderators: 'a role that the community gives and takes',
  notification_marks: 'how far the member has seen the list',
  notifications: 'derived from other rows',
  oauth_attempts: 'sign-ins in progress',
  recovery_codes: 'secrets',
  suspensions: "a moderator's decision; sign-in shows it to the member",
  tokens: 'secrets',
  totp_secrets: 'secrets',
  unlock_requests: 'links in emails',
}

test('every table with rows of a member is in the data export, or in the list of tables left out', () => {
  const queries = readFileSync(
    join(import.meta.dirname, '../../server/features/data-export/exported-data-queries.ts'),
    'utf8',
  )
  const tables = [memberColumnErasureRules, accountColumnErasureRules]
    .flatMap((rules) => Object.entries(rules))
    // A cleared column only names the member in another member's row.
    .flatMap(([column, rule]) => (rule === 'cleared' ? [] : (column.split('.')[0] ?? '')))
  const missing = new Set(
    tables.filter((table) => !new RegExp(String.raw`\b(from|join) ${table}\b`).test(queries)),
  )
  expect([...missing].sort()).toEqual(Object.keys(leftOut).sort())
})
