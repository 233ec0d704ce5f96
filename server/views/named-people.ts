/** Shows who is named in photos. */
import { type RawBuilder, sql } from 'kysely'
import type { NamedPerson } from '#contract/named-people/named-person.ts'
import type { Config } from '../config.ts'
import { type MemberKeyExpression, whereMemberMayRead } from '../policy.ts'
import { type PersonSummaryRecord, personSummaryColumns, toPersonSummary } from './person-summary.ts'

export type NamedPersonRow = PersonSummaryRecord & {
  naming_id: string
  image_id: string
  x: number
  y: number
  state: NamedPerson['state']
  is_me: boolean
  hides: boolean
}

const columns = (
  me: MemberKeyExpression,
) => sql`named.public_id as naming_id, named_file.public_id as image_id, named.x, named.y,
  named.state, named.person_id = ${me} as is_me, named.person_id = ${me} and named.hidden_at is not null as hides, ${personSummaryColumns}`

const joined = sql`post_people named join files named_file on named_file.id = named.file_id
  join users person on person.id = named.person_id left join files face on face.id = person.image_id`

/** Selects whom `me` may see named in the photos of a post, as an array of `NamedPersonRow`s. */
export const selectNamedPeople = (
  me: MemberKeyExpression,
  post: RawBuilder<unknown>,
): RawBuilder<NamedPersonRow[] | null> =>
  sql`(select json_agg(to_json(shown) order by shown.naming) from (
    select named.id as naming, ${columns(me)} from ${joined}
    where named.post_id = ${post} and ${whereMemberMayRead(me, 'post_people', 'named')}) shown)`

/** Selects one name by its key. */
export const selectNamedPerson = (me: MemberKeyExpression, key: number): RawBuilder<NamedPersonRow> =>
  sql`select ${columns(me)} from ${joined} where named.id = ${key}`

export const toNamedPerson = (config: Config, row: NamedPersonRow): NamedPerson => ({
  $id: row.naming_id,
  person: toPersonSummary(config, row),
  imageId: row.image_id,
  x: row.x,
  y: row.y,
  state: row.state,
  ...(row.is_me && { me: true }),
  ...(row.hides && { hidden: true }),
})
