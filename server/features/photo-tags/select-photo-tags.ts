import { type RawBuilder, sql } from 'kysely'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import type { Config } from '../../config.ts'
import { type MemberKeyExpression, whereMemberMayRead } from '../../policy/index.ts'
import { type PersonSummaryRecord, personSummaryColumns, toPersonSummary } from '../people/person-summary.ts'

export type PhotoTagRow = PersonSummaryRecord & {
  photo_tag_id: string
  image_id: string
  x: number
  y: number
  state: PhotoTag['state']
  is_me: boolean
  hides: boolean
}

const columns = (
  me: MemberKeyExpression,
) => sql`named.public_id as photo_tag_id, named_file.public_id as image_id, named.x, named.y,
  named.state, named.person_id = ${me} as is_me, named.person_id = ${me} and named.hidden_at is not null as hides, ${personSummaryColumns}`

const joined = sql`post_people named join files named_file on named_file.id = named.file_id
  join users person on person.id = named.person_id left join files face on face.id = person.image_id`

/** Selects an array of `PhotoTagRow`s. */
export const selectPhotoTags = (
  me: MemberKeyExpression,
  post: RawBuilder<unknown>,
): RawBuilder<PhotoTagRow[] | null> =>
  sql`(select json_agg(to_json(shown) order by shown.photo_tag) from (
    select named.id as photo_tag, ${columns(me)} from ${joined}
    where named.post_id = ${post} and ${whereMemberMayRead(me, 'post_people', 'named')}) shown)`

export const selectPhotoTag = (me: MemberKeyExpression, key: number): RawBuilder<PhotoTagRow> =>
  sql`select ${columns(me)} from ${joined} where named.id = ${key}`

export const toPhotoTag = (config: Config, row: PhotoTagRow): PhotoTag => ({
  $id: row.photo_tag_id,
  person: toPersonSummary(config, row),
  imageId: row.image_id,
  x: row.x,
  y: row.y,
  state: row.state,
  ...(row.is_me && { me: true }),
  ...(row.hides && { hidden: true }),
})
