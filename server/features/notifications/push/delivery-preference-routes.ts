import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import * as contract from '#contract/notifications/notification-delivery.ts'
import type { AppContext } from '../../../app-context.ts'
import type { DatabaseTables } from '../../../database/schema.ts'
import { throwFailure } from '../../../errors.ts'
import { type RequestContext, registerRoute } from '../../../route.ts'
import { verifyUnsubscribeSecret } from './summary-unsubscribe-secret.ts'

export function registerDeliveryPreferenceRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, contract.getNotificationDeliveryOperation, (_input, ctx) => readDelivery(ctx))

  registerRoute(app, context, contract.updateNotificationDeliveryOperation, async (changes, ctx) => {
    const { me, store } = ctx
    if (changes.timeZone !== undefined && !isTimeZone(changes.timeZone))
      throwFailure('general_argument_invalid', { field: 'timeZone' })
    await store.transact(({ db }) => updateDelivery(db, me.id, changes))
    return readDelivery(ctx)
  })

  // Mail programs send a form here. The route ignores its content.
  app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume().once('end', () => done(null))
    })
    registerRoute(
      forms,
      context,
      contract.unsubscribeFromSummariesOperation,
      async ({ secret }, { database, instanceKey }) => {
        const member = await verifyUnsubscribeSecret(instanceKey, secret)
        if (member === null) throwFailure('user_invalid_token', { field: 'secret' })
        await sql`
          update notification_delivery d set summary = 'never', summary_due_at = null
          from users u where u.public_id = ${member} and d.user_id = u.id`.execute(database.kysely)
      },
    )
  })
}

/** The JavaScript runtime checks the name, because PostgreSQL also accepts offsets. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

async function readDelivery({
  me,
  caller,
  database,
  emails,
}: RequestContext): Promise<contract.NotificationDelivery> {
  const found = await database.kysely
    .selectFrom('accounts as a')
    .leftJoin('notification_delivery as d', (join) => join.on('d.user_id', '=', me.id))
    .select(['a.email_verified', 'd.push_kinds', 'd.mail_kinds', 'd.hides_contents'])
    .select(['d.quiet_from', 'd.quiet_to', 'd.time_zone', 'd.summary'])
    .where('a.id', '=', caller.account.id)
    .executeTakeFirst()
  const on = (kinds: readonly string[], chosen: readonly string[]) =>
    kinds.filter((kind) => chosen.includes(kind))
  return {
    push: on(contract.pushKinds, found?.push_kinds ?? contract.defaultPushKinds) as contract.PushKind[],
    mail: on(
      contract.summaryKinds,
      found?.mail_kinds ?? contract.defaultSummaryKinds,
    ) as contract.SummaryKind[],
    hidesContents: found?.hides_contents ?? true,
    quietHours:
      found?.quiet_from == null || found.quiet_to === null
        ? null
        : { from: found.quiet_from, to: found.quiet_to },
    timeZone: found?.time_zone ?? null,
    summary: found?.summary ?? 'daily',
    mailable: emails.isAvailable() && (found?.email_verified ?? false),
  }
}

type Changes = Partial<Omit<contract.NotificationDelivery, 'mailable'>>

async function updateDelivery(db: Kysely<DatabaseTables>, me: number, changes: Changes): Promise<void> {
  const { push, mail, hidesContents, quietHours, timeZone, summary } = changes
  await sql`insert into notification_delivery (user_id) values (${me}) on conflict do nothing`.execute(db)
  const before = (
    await sql<Selectable<DatabaseTables['notification_delivery']>>`
    select * from notification_delivery where user_id = ${me} for no key update`.execute(db)
  ).rows[0]
  if (!before) return
  const zone = timeZone ?? before.time_zone
  const often = summary ?? before.summary
  const moves = zone !== before.time_zone || often !== before.summary
  await db
    .updateTable('notification_delivery')
    .set({
      ...(push && { push_kinds: push }),
      ...(mail && { mail_kinds: mail }),
      ...(hidesContents !== undefined && { hides_contents: hidesContents }),
      ...(quietHours !== undefined && {
        quiet_from: quietHours?.from ?? null,
        quiet_to: quietHours?.to ?? null,
      }),
      time_zone: zone,
      summary: often,
      ...(moves && {
        summary_due_at:
          zone === null || often === 'never'
            ? null
            : (computeNextSummaryTime(
                sql`clock_timestamp()`,
                sql`${zone}::text`,
                sql`${often}::text`,
              ) as RawBuilder<Date>),
      }),
    })
    .where('user_id', '=', me)
    .execute()
}

/** Digests are due at nine in the morning of the next day or Monday. */
export const computeNextSummaryTime = (
  now: RawBuilder<unknown>,
  zone: RawBuilder<unknown>,
  often: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select (case when ${often} = 'weekly' then day + (8 - extract(isodow from day)::int) % 7 else day end + time '09:00') at time zone ${zone}
  from (select (${now} at time zone ${zone})::date + case when (${now} at time zone ${zone})::time >= '09:00' then 1 else 0 end as day) as next)`
