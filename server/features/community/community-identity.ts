import { type Kysely, sql } from 'kysely'
import type { CommunityIdentitySettings } from '#contract/community/community-identity.ts'
import { formatIsoTimestampOrNull } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'

type IdentityChange = { accent?: string | null; announcement?: string }

export async function writeCommunityIdentity(
  db: Kysely<DatabaseTables>,
  change: IdentityChange,
): Promise<string[]> {
  await sql`insert into community default values on conflict do nothing`.execute(db)
  const before = await db
    .selectFrom('community')
    .select(['accent', 'announcement'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { accent = before.accent, announcement = before.announcement } = change
  const isNew = announcement !== before.announcement
  await sql`
    update community set accent = ${accent}, announcement = ${announcement},
      announcement_version = announcement_version + ${isNew ? 1 : 0},
      announced_at = case when ${announcement} = '' then null when ${isNew} then clock_timestamp() else announced_at end`.execute(
    db,
  )
  return [...(accent === before.accent ? [] : ['accent']), ...(isNew ? ['announcement'] : [])]
}

export async function readCommunityIdentity(db: Kysely<DatabaseTables>): Promise<CommunityIdentitySettings> {
  const { rows } = await sql<{
    accent: CommunityIdentitySettings['accent']
    announcement: string
    announced_at: Date | null
    logo: string | null
  }>`
    select c.accent, coalesce(c.announcement, '') as announcement, c.announced_at,
      (select version from community_logo) as logo
    from (values (1)) one left join community c on true`.execute(db)
  const [row] = rows as [(typeof rows)[number]]
  return {
    accent: row.accent,
    logo: row.logo,
    announcement: row.announcement,
    announcedAt: formatIsoTimestampOrNull(row.announced_at),
  }
}
