import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  endWelcomeOperation,
  listSuggestedGroupsOperation,
  listSuggestedPeopleOperation,
} from '#contract/community/welcome.ts'
import type { AppContext } from '../../app-context.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { hydrateGroups } from '../groups/hydrate-groups.ts'
import { hydratePeople } from '../people/hydrate-people.ts'

/** Ranks only the newest members and groups, so that the cost does not grow with the community. */
const ranked = sql.lit(100)
const suggestedPeople = sql.lit(3)
const suggestedGroups = sql.lit(1)

export function registerWelcomeRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listSuggestedPeopleOperation, async (_input, { me, database, config }) => {
    const caller = memberKeyParameter(me.id)
    const mayBeFound = sql`${whereMemberMayRead(caller, 'users', 'u')}
      and ${whereMemberHasAbility(caller, 'beFound', 'users', 'u')} and u.id <> ${me.id}`
    const { rows } = await sql<{ id: number }>`
      select s.id from (
        (select u.id, u.follower_count, true as invited_me from users u
          where u.id = (
            select i.inviter_id from invitations i join users g on g.account_id = i.account_id where g.id = ${me.id})
          and ${mayBeFound})
        union all
        (select u.id, u.follower_count, false from users u
          where ${mayBeFound} order by u.created_at desc, u.id desc limit ${ranked})
      ) s
      group by s.id order by bool_or(s.invited_me) desc, max(s.follower_count) desc, s.id desc
      limit ${suggestedPeople}`.execute(database.kysely)
    const keys = rows.map(({ id }) => id)
    return { documents: await hydratePeople(database.kysely, config, me.id, keys, { counts: false }) }
  })

  registerRoute(app, context, listSuggestedGroupsOperation, async (_input, { me, database, config }) => {
    const { rows } = await sql<{ id: number }>`
      select s.id from (
        select g.id, g.member_count from groups g
        where ${whereMemberMayRead(memberKeyParameter(me.id), 'groups', 'g')}
        order by g.created_at desc, g.id desc limit ${ranked}
      ) s
      order by s.member_count desc, s.id desc limit ${suggestedGroups}`.execute(database.kysely)
    const keys = rows.map(({ id }) => id)
    return { documents: await hydrateGroups(database.kysely, config, me.id, keys) }
  })

  registerRoute(app, context, endWelcomeOperation, async (_input, { me, store }) => {
    await store.transact((tx) => tx.updateAll('users', sql`t.id = ${me.id}`, { welcome_due: false }))
  })
}
