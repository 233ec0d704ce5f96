/** PostgreSQL knows time zones and clock changes. */
import { type RawBuilder, sql } from 'kysely'

/**
 * Computes the end of the quiet hours that include `now`; null outside quiet hours. If a clock change skips the
 * end, it moves one hour later. If the end occurs twice, the second one counts.
 * @param d alias of `notification_delivery`, possibly of a left join
 */
export const quietHoursEndSql = (d: string, now: RawBuilder<unknown>): RawBuilder<Date | null> => {
  const of = (column: string) => sql.ref(`${d}.${column}`)
  return sql`(
    select greatest(${now} + interval '1 minute', (day + make_interval(mins => ${of('quiet_to')}::int)) at time zone ${of('time_zone')})
    from (
      select here.at::date + case when ${of('quiet_from')} > ${of('quiet_to')} and here.minute >= ${of('quiet_from')} then 1 else 0 end as day,
        case when ${of('quiet_from')} < ${of('quiet_to')}
          then here.minute >= ${of('quiet_from')} and here.minute < ${of('quiet_to')}
          else here.minute >= ${of('quiet_from')} or here.minute < ${of('quiet_to')} end as quiet
      from (select local.at, extract(hour from local.at) * 60 + extract(minute from local.at) as minute
        from (select ${now} at time zone ${of('time_zone')} as at) local) here
    ) today where today.quiet)`
}
