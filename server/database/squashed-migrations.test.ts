import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { createServerLogger } from '#server/log.ts'
import { createTestDatabase, createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { findBrokenInvariants } from './invariants.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'

/**
 * From the last commit with squashed migrations, with added rows for empty tables. Dumped with `pg_dump
 * --inserts --no-owner --no-comments --no-privileges` of PostgreSQL 15; PostgreSQL 18 can read it.
 */
const dump = gunzipSync(
  readFileSync(join(import.meta.dirname, '../../tests/fixtures/before-squashing.sql.gz')),
).toString()

const log = createServerLogger('silent')
const names = readdirSync(join(import.meta.dirname, 'migrations')).sort()
let old: Database

beforeEach(async () => {
  old = await createUnmigratedTestDatabase()
  // The dump clears the search path, so the test closes this connection afterwards.
  const client = new Client({ connectionString: old.directUrl })
  await client.connect()
  await client.query(dump)
  await client.end()
})
afterEach(() => old.close())

const start = () => migrate(old.directUrl, log)

async function ledger({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by number')
  return rows.map(({ name }) => name)
}

/** Texts that also have a stored folded form. */
const foldedColumns = [
  { table: 'posts', columns: ['caption', 'location', 'tags'] },
  { table: 'users', columns: ['name', 'username', 'bio'] },
  { table: 'groups', columns: ['name', 'description'] },
  { table: 'messages', columns: ['content'] },
  { table: 'files', columns: ['name'] },
]

type Content = Record<string, { rows: number; hash: string }>

/** Columns that later migrations add. They are constant or filled from other columns. */
const addedColumns = [
  'users.username_skeleton',
  'users.is_private',
  'users.is_listed',
  'users.lists_for',
  'users.messages_from',
  'users.quick_exit',
  'users.comments_from',
  'users.pictured_by',
  'users.on_place_pages',
  'users.alt_reminder',
  'users.shows_typing',
  'users.shows_receipts',
  'users.welcome_due',
  'users.takes_vouch_requests',
  'users.followers_post_count',
  'users.privatised_at',
  'identities.issuer',
  'accounts.closed_at',
  'accounts.username_changed_at',
  'posts.followers_only',
  'posts.hidden_by',
  'posts.hidden_at',
  'posts.withheld_by',
  'groups.hidden_at',
  'groups.without_heir',
  'posts.image_alt',
  'posts.photo_count',
  'posts.comments_from',
  'posts.comment_count',
  'posts.edited_at',
  'posts.shared_with',
  'posts.shared_count',
  'posts.shared_at',
  'files.crc32',
  'files.removed',
  'files.hidden_evidence',
  'notifications.comment_id',
  'messages.unsent_at',
  'messages.reply_to_id',
  'conversations.asked_id',
  'conversations.declined_at',
  'conversations.unanswered_by',
  'conversations.low_receipt_id',
  'conversations.high_receipt_id',
  'conversations.low_opened',
  'conversations.high_opened',
  'accounts.email_proven_at',
  'accounts.phone_set_at',
  'accounts.username_changed_at',
  'accounts.mfa',
  'accounts.webauthn_id',
  'accounts.rules_seen',
  'accounts.announcement_seen',
  'accounts.language',
  'accounts.reopens_on_sign_in',
  'messages.photo_count',
  'messages.shared_post_id',
  'messages.shares',
  'accounts.erased_at',
  'sessions.proved_at',
  'sessions.pending_until',
  'sessions.step_attempts',
  'sessions.second_factor',
  'sessions.second_proved_at',
  'sessions.from_known_browser',
  'known_devices.trusted_until',
  'sessions.moderating_until',
  'sessions.wants_push',
  'oauth_attempts.invite_hash',
  'oauth_attempts.account_id',
]

const addedTables = [
  'taken_ids',
  'community_logo',
  'email_days',
  'post_people',
  'post_photos',
  'message_photos',
  'trending_posts',
  'trending_rankings',
  'deleted_groups',
  'group_handovers',
  'post_topics',
  'post_edits',
  'comments',
  'comment_likes',
  'mentions',
  'message_reactions',
  'held_usernames',
  'community',
  'deletions',
  'exports',
  'unlock_requests',
  'emails',
  'export_entries',
  'invitations',
  'blocks',
  'block_pairs',
  'follow_requests',
  'mutes',
  'restrictions',
  'moderation_cases',
  'moderation_notices',
  'appeals',
  'moderators',
  'suspension_proposals',
  'suspensions',
  'moderation_log',
  'operator_acts',
  'applications',
  'reports',
  'evidence',
  'held_usernames',
  'totp_secrets',
  'recovery_codes',
  'challenges',
  'passkeys',
  'passkey_challenges',
  'instance',
  'notifications',
  'notification_marks',
  'notification_preferences',
  'notification_delivery',
  'push_subscriptions',
  'push_schedule',
  'notification_throttle',
  'notification_cursor',
  'backups',
  'backup_schedule',
  'file_move',
]

/** Without derived columns and the list of migrations. */
async function contentOf({ pool }: Database): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(
    `select relname::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
       and format('%s.%s', relname, attname) <> all ($1)
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($2) group by 1 order by 1`,
    [addedColumns, ['migrations', ...addedTables]],
  )
  const content: Content = {}
  for (const { name, columns } of tables) {
    const { rows } = await pool.query<Content[string]>(
      `select count(*)::int as rows, md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash
       from (select ${columns} from ${name}) t`,
    )
    content[name] = rows[0] as Content[string]
  }
  return content
}

/** Returns PostgreSQL's own description of the complete schema, with the order of columns. */
async function schemaOf({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `with ours as (select oid from pg_namespace where nspname = 'public'),
       own as (select p.oid from pg_proc p where pronamespace = (select oid from ours)
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
     select format('column %s %s %s %s %s %s %s %s %s', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod),
       attcollation::regcollation, attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)) as line
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid in (select oid from pg_class where relkind = 'r' and relnamespace = (select oid from ours)) and attnum > 0
     union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = (select oid from ours)
     union all select pg_get_indexdef(indexrelid)
     from pg_index where indrelid in (select oid from pg_class where relnamespace = (select oid from ours))
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select pg_get_functiondef(oid) from own
     union all select format('domain %s %s %s', typname, format_type(typbasetype, typtypmod), typcollation::regcollation)
     from pg_type where typtype = 'd' and typnamespace = (select oid from ours)
     union all select format('sequence %s', s) from (select sequencename, data_type, start_value, increment_by, cycle, cache_size
       from pg_sequences where schemaname = 'public') s
     union all select format('extension %s', extname) from pg_extension
     order by 1`,
  )
  return rows.map(({ line }) => line)
}

describe('a database with the migrations from before they were squashed', () => {
  test('the first of three nodes that start together converts the database and loses nothing', async () => {
    const before = await contentOf(old)
    expect(Object.values(before).every(({ rows }) => rows > 0)).toBe(true)
    expect(await ledger(old)).toHaveLength(23)
    const born = 'select min(applied_at) as born from migrations'
    const { rows: age } = await old.pool.query(born)

    await Promise.all([start(), start(), start()])

    expect(await ledger(old)).toEqual(names)
    expect(await contentOf(old)).toEqual(before)
    expect((await old.pool.query(born)).rows).toEqual(age)
    expect(await findBrokenInvariants(old.pool)).toEqual([])
  })

  test('a converted database has its texts folded like a new database', async () => {
    await start()
    for (const { table, columns } of foldedColumns) {
      for (const column of columns) {
        const { rows } = await old.pool.query<{ rows: number; wrong: number }>(
          `select count(*)::int as rows, count(*) filter (where ${column}_folded is distinct from fold(${column}))::int as wrong
           from ${table}`,
        )
        expect(rows[0]?.rows).toBeGreaterThan(0)
        expect(rows[0]?.wrong).toBe(0)
      }
    }
  })

  test('PRIV-01 a converted database has only public accounts and no posts for followers only', async () => {
    await start()
    const { rows } = await old.pool.query(
      `select (select count(*)::int from users) > 0 as members,
         (select count(*)::int from users where is_private or lists_for <> 'everyone' or not is_listed) as private,
         (select count(*)::int from posts where followers_only) as closed`,
    )
    expect(rows).toEqual([{ members: true, private: 0, closed: 0 }])
  })

  test('a converted database has the same schema as a new database', async () => {
    await start()
    const fresh = await createTestDatabase()
    const schema = await schemaOf(fresh)
    expect(schema.length).toBeGreaterThan(300)
    expect(await schemaOf(old)).toEqual(schema)
    await fresh.close()
  })

  test('an interrupted conversion keeps the old migration table, and the next start completes the conversion', async () => {
    const before = await ledger(old)
    await old.pool.query(`create function break_off() returns trigger language plpgsql as
      $$ begin raise exception 'broken off'; end $$`)
    await old.pool.query(
      'create trigger break_off before delete on migrations for each statement execute function break_off()',
    )
    await expect(start()).rejects.toThrow('broken off')
    expect(await ledger(old)).toEqual(before)
    await old.pool.query('drop function break_off cascade')
    await start()
    expect(await ledger(old)).toEqual(names)
  })

  test('a database that stopped halfway through the old migrations is refused, naming the version that updates it', async () => {
    await old.pool.query('delete from migrations where number > 17')
    const before = await contentOf(old)
    await expect(start()).rejects.toThrow(
      'stopped at 0017-fold-plain-text-fast.sql, migration 17 of 23 before they were squashed: bring it up to date with Juntas at commit 1987a41 first.',
    )
    expect(await ledger(old)).toHaveLength(17)
    expect(await contentOf(old)).toEqual(before)
  })

  test('a database with an edited or added migration is refused', async () => {
    await old.pool.query(
      `insert into migrations (number, name, checksum) values (24, '0024-trees.sql', 'unknown')`,
    )
    await expect(start()).rejects.toThrow('newer Juntas (0024-trees.sql)')
    await old.pool.query(`delete from migrations where number = 24`)
    await old.pool.query(`update migrations set checksum = 'edited' where number = 5`)
    await expect(start()).rejects.toThrow('0005-posts.sql was edited')
    expect(await ledger(old)).toHaveLength(23)
  })

  test('backups of the old database restore with the new migration names', async () => {
    const folder = createNonDurableFolder('juntas-before-squashing-')
    const blobs = await openBlobStore({ dataDir: join(folder, 'data') })
    const target = await createUnmigratedTestDatabase()
    try {
      // Backups do not contain the outbox and unfinished uploads.
      const { changes: _, file_chunks: __, ...before } = await contentOf(old)
      await createBackup({ url: old.directUrl, blobs }, join(folder, 'backup'))
      const restored = await restoreBackup(
        join(folder, 'backup'),
        { url: target.directUrl, blobs, log },
        { keepSignIns: true },
      )
      expect(restored.migrations).toHaveLength(23)
      expect(restored.broken).toEqual([])
      expect(await ledger(target)).toEqual(names)
      expect(await contentOf(target)).toMatchObject(before)
    } finally {
      await target.close()
      rmSync(folder, { recursive: true })
    }
  })
})
