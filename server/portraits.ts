/** The person behind a membership, a request or a conversation, as a join and as what is shown of her. */
import { type RawBuilder, sql } from 'kysely'
import type { Creator } from '#contract/people.ts'
import type { Config } from './config.ts'
import { portraitUrl } from './views.ts'

export type PortraitRow = {
  person_id: string
  person_name: string
  person_username: string
  person_image_id: string | null
}

/** Columns of `joinPortrait`'s aliases; every reader shows a person by the same four. */
export const portraitColumns = sql`person.public_id as person_id, person.name as person_name,
  person.username as person_username, face.public_id as person_image_id`

/** @param userKey the member's key, an expression over what stands left of it */
export const joinPortrait = (userKey: RawBuilder<unknown>) =>
  sql`join users person on person.id = ${userKey} left join files face on face.id = person.image_id`

export const toPortrait = (config: Config, row: PortraitRow): Creator => ({
  $id: row.person_id,
  name: row.person_name,
  username: row.person_username,
  imageUrl: portraitUrl(config, row.person_name, row.person_image_id),
  imageId: row.person_image_id,
})
