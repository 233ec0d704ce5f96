/** If the account has no profile, the first request creates one. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { AccentName } from '#contract/community/community-limits.ts'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import type { AppContext } from '../../app-context.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, selectReadableRows, whereMemberHasAbility } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { hydratePeople } from '../people/hydrate-people.ts'
import { findOrCreateProfile } from './find-or-create-profile.ts'

export function registerCurrentMemberRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    getCurrentMemberOperation,
    async (_input, { caller, database, config, store }) => {
      const { account } = caller
      const key = caller.member?.id ?? (await store.transact((tx) => findOrCreateProfile(tx, account)))
      const [[profile], own] = await Promise.all([
        hydratePeople(database.kysely, config, key, [key], { counts: true }),
        readOwnParts(database.kysely, config, key),
      ])
      if (!profile) return throwFailure('general_unauthorized_scope')
      return { ...profile, accountId: account.publicId, email: account.email ?? '', ...own }
    },
  )
}

async function readOwnParts(db: Kysely<DatabaseTables>, { quickExitUrl, registration }: Config, me: number) {
  const member = await selectReadableRows(db, memberKeyParameter(me), 'users')
    .select([
      'quick_exit',
      'alt_reminder',
      'shows_typing',
      'welcome_due',
      sql<boolean>`exists (select from moderators where member_id = users.id)`.as('moderates'),
      whereMemberHasAbility(memberKeyParameter(me), 'operateCommunity', 'users', 'users').as('operates'),
      sql<number | null>`(select c.rules_version from community c, accounts a
        where a.id = users.account_id and c.rules <> '{}' and c.rules_version > a.rules_seen)`.as(
        'unread_rules',
      ),
      sql<string | null>`(select registration from community)`.as('registration'),
      sql<AccentName | null>`(select accent from community)`.as('accent'),
      sql<string | null>`(select version from community_logo)`.as('logo'),
      sql<{ version: number; text: string; at: string } | null>`(
        select jsonb_build_object('version', c.announcement_version, 'text', c.announcement,
          'at', to_char(c.announced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS+00:00'))
        from community c, accounts a where a.id = users.account_id and c.announcement <> ''
          and c.announcement_version > a.announcement_seen)`.as('announcement'),
      sql<string | null>`(select name from community where name <> ${defaultCommunityName})`.as('community'),
    ])
    .where('id', '=', me)
    .executeTakeFirst()
  if (!member) return {}
  const {
    quick_exit: quickExit,
    alt_reminder: altReminder,
    shows_typing: showsTyping,
    welcome_due: welcome,
    moderates,
    operates,
    unread_rules: unreadHouseRules,
    community,
    accent,
    logo,
    announcement,
  } = member
  return {
    ...(quickExit === 'off' ? {} : { quickExit: { url: quickExitUrl, signsOut: quickExit === 'sign-out' } }),
    ...(altReminder ? {} : { altReminder }),
    ...(showsTyping ? { showsTyping: true as const } : {}),
    ...(welcome ? { welcome } : {}),
    ...(moderates ? { moderates } : {}),
    ...(operates ? { operates } : {}),
    ...(community === null ? {} : { community }),
    ...(accent === null ? {} : { accent }),
    ...(logo === null ? {} : { logo }),
    ...(announcement === null ? {} : { announcement }),
    ...(unreadHouseRules === null ? {} : { unreadHouseRules }),
    ...((registration ?? member.registration) !== 'closed' ? { invites: true as const } : {}),
  }
}
