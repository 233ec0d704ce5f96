/** Tests that migration 0038 keeps what its three triggers did. */
import { expect, test } from 'vitest'
import { createServerLogger } from '#server/log.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'

const log = createServerLogger('silent')
const lastWithThreeTriggers = 37

/** The members' names. Their keys are their positions, from 1. */
const members = ['ana', 'asks', 'open', 'closed', 'follower', 'blocked', 'follows-only']
const conversations = members.slice(1).map((_, n) => n + 1)

async function fill({ pool }: Database) {
  await pool.query(
    `with made as (insert into accounts (public_id, name) select 'account-' || n, n from unnest($1::text[]) n returning id, name)
     insert into users (public_id, account_id, name, username) select name, id, name, replace(name, '-', '') from made order by array_position($1, name)`,
    [members],
  )
  await pool.query(`
    update users set messages_from = case name when 'asks' then 'ask' when 'closed' then 'nobody'
      when 'follows-only' then 'followed' else 'everyone' end`)
  await pool.query(
    `insert into conversations (public_id, low_id, high_id) select 'talk-' || n, 1, n + 1 from unnest($1::int[]) n`,
    [conversations],
  )
  await pool.query(`insert into follows (public_id, follower_id, following_id) select 'follow', u.id, 1 from users u
    where u.name = 'follower'`)
}

/** @returns the violated constraint, or null */
const send = ({ pool }: Database, conversation: number, sender: number, photos = 0) =>
  pool
    .query(
      `insert into messages (public_id, conversation_id, sender_id, content, photo_count)
       select 'm' || count(*), $1, $2, 'hola', $3 from messages`,
      [conversation, sender, photos],
    )
    .then(
      () => null,
      ({ constraint }: { constraint: string }) => constraint,
    )

const state = async ({ pool }: Database) => ({
  messages: (
    await pool.query('select public_id, conversation_id, sender_id, content from messages order by id')
  ).rows,
  conversations: (
    await pool.query(`
      select c.public_id, last.public_id as last, low.public_id as low_read, high.public_id as high_read, asked_id,
        declined_at is null as undecided, unanswered_by, last.created_at = c.updated_at as is_newest
      from conversations c left join messages last on last.id = c.last_message_id
      left join messages low on low.id = c.low_read_id left join messages high on high.id = c.high_read_id order by c.id`)
  ).rows,
})

const firstMessages = async (database: Database) => {
  const outcomes: (string | null)[] = []
  for (const conversation of conversations)
    for (const photos of [1, 0, 0, 1]) outcomes.push(await send(database, conversation, 1, photos))
  return outcomes
}

const laterMessages = async (database: Database) => {
  const outcomes: (string | null)[] = []
  await database.pool.query(`insert into blocks (public_id, blocker_id, blocked_id) select 'block', u.id, 1 from users u
    where u.name = 'blocked'`)
  for (const conversation of conversations) {
    for (const sender of [1, 1, 1, 1, conversation + 1, 1, conversation + 1])
      outcomes.push(await send(database, conversation, sender))
    outcomes.push(await send(database, conversation, ((conversation + 1) % members.length) + 1))
  }
  return outcomes
}

test('an instance filled with three triggers per message keeps every row, and the one trigger treats messages alike', async () => {
  const [kept, migrated] = [await createUnmigratedTestDatabase(), await createUnmigratedTestDatabase()]
  try {
    const outcomes = new Map<Database, (string | null)[]>()
    for (const database of [kept, migrated]) {
      await migrate(database.directUrl, log, undefined, lastWithThreeTriggers)
      await fill(database)
      outcomes.set(database, await firstMessages(database))
    }
    const before = await state(migrated)
    await migrate(migrated.directUrl, log)
    expect(await state(migrated)).toEqual(before)

    for (const database of [kept, migrated]) outcomes.get(database)?.push(...(await laterMessages(database)))
    expect(outcomes.get(migrated)).toEqual(outcomes.get(kept))
    expect(await state(migrated)).toEqual(await state(kept))
    const refusals = ['admitted', 'waiting', 'photos_admitted', 'not_blocked', 'sender_participates']
    expect(new Set(outcomes.get(migrated))).toEqual(
      new Set([null, ...refusals.map((name) => `messages_${name}`)]),
    )
    // These messages only claim to have photos.
    await migrated.pool.query('update messages set photo_count = 0')
    expect(await findBrokenDatabaseInvariants(migrated)).toEqual([])
  } finally {
    await Promise.all([kept.close(), migrated.close()])
  }
})
