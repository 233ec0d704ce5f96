/** The environment overrides the settings screen, which overrides the defaults. */
import { type Kysely, sql } from 'kysely'
import type { RegistrationMode } from '#contract/community/community.ts'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'

export type CommunitySettings = {
  name: string
  registration: RegistrationMode
  rules: string[]
  rulesVersion: number
  rulesChangedAt: Date | null
  contact: string | null
  /** Null means the default question. */
  applicationQuestion: string | null
  isSetUp: boolean
  fixed: ('registration' | 'contact')[]
}

const asItComes = {
  name: defaultCommunityName,
  registration: 'open',
  rules: [] as string[],
  rules_version: 0,
  rules_changed_at: null,
  contact: '',
  set_up_at: null,
  takes_applications: false,
  application_question: '',
} as const

export async function readCommunitySettings(
  db: Kysely<DatabaseTables>,
  config: Config,
): Promise<CommunitySettings> {
  const stored = await db
    .selectFrom('community')
    .select(['name', 'registration', 'rules', 'rules_version', 'rules_changed_at', 'contact', 'set_up_at'])
    .select(['takes_applications', 'application_question'])
    .executeTakeFirst()
  const row = stored ?? asItComes
  return {
    name: row.name,
    registration: config.registration ?? toRegistrationMode(row),
    rules: row.rules,
    rulesVersion: row.rules_version,
    rulesChangedAt: row.rules_changed_at,
    contact: config.contact ?? (row.contact || null),
    applicationQuestion: row.application_question || null,
    isSetUp: row.set_up_at !== null,
    fixed: [
      ...(config.registration === undefined ? [] : (['registration'] as const)),
      ...(config.contact === undefined ? [] : (['contact'] as const)),
    ],
  }
}

export type CommunitySettingsChange = Partial<Pick<CommunitySettings, 'name' | 'registration' | 'rules'>> & {
  /** An empty text removes the contact. */
  contact?: string
  /** An empty text restores the default question. */
  applicationQuestion?: string
}

/**
 * Changed rules get a new version.
 * @returns the names of the fields that changed
 */
export async function writeCommunitySettings(
  db: Kysely<DatabaseTables>,
  change: CommunitySettingsChange,
): Promise<(keyof CommunitySettingsChange)[]> {
  const {
    name = null,
    registration = null,
    rules = null,
    contact = null,
    applicationQuestion = null,
  } = change
  const stored = registration === 'approval' ? 'invite' : registration
  const takesApplications = registration === null ? null : registration === 'approval'
  await sql`insert into community default values on conflict do nothing`.execute(db)
  const before = await db
    .selectFrom('community')
    .select(['name', 'registration', 'rules', 'contact', 'takes_applications', 'application_question'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  await sql`
    update community set
      name = coalesce(${name}, name),
      registration = coalesce(${stored}, registration),
      takes_applications = coalesce(${takesApplications}::boolean, takes_applications),
      application_question = coalesce(${applicationQuestion}, application_question),
      contact = coalesce(${contact}, contact),
      rules_version = case when ${rules}::text[] is distinct from rules and ${rules}::text[] is not null
        then rules_version + 1 else rules_version end,
      rules_changed_at = case when ${rules}::text[] is distinct from rules and ${rules}::text[] is not null
        then clock_timestamp() else rules_changed_at end,
      rules = coalesce(${rules}::text[], rules)`.execute(db)
  const fields = {
    ...before,
    registration: toRegistrationMode(before),
    applicationQuestion: before.application_question,
  }
  const names = ['name', 'registration', 'rules', 'contact', 'applicationQuestion'] as const
  return names.filter(
    (field) => change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(fields[field]),
  )
}

/**
 * "approval" is stored as "invite" with `takes_applications`, because nodes of the previous version know only
 * "invite".
 */
function toRegistrationMode(row: {
  registration: 'open' | 'invite' | 'closed'
  takes_applications: boolean
}): RegistrationMode {
  return row.registration === 'invite' && row.takes_applications ? 'approval' : row.registration
}
