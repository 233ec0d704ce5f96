import { type RawBuilder, sql } from 'kysely'
import type { PersonSummary } from '#contract/people/people.ts'
import type { Config } from '../../config.ts'
import { buildProfilePictureUrl } from '../../files/picture-urls.ts'

export type PersonSummaryRecord = {
  person_id: string
  person_name: string
  person_username: string
  person_image_id: string | null
}

export const personSummaryColumns = sql`person.public_id as person_id, person.name as person_name,
  person.username as person_username, face.public_id as person_image_id`

/** @param userKey the member's key: an expression over earlier tables */
export const joinPersonSummaryRow = (userKey: RawBuilder<unknown>) =>
  sql`join users person on person.id = ${userKey} left join files face on face.id = person.image_id`

export const toPersonSummary = (config: Config, row: PersonSummaryRecord): PersonSummary => ({
  $id: row.person_id,
  name: row.person_name,
  username: row.person_username,
  imageUrl: buildProfilePictureUrl(config, row.person_name, row.person_image_id),
  imageId: row.person_image_id,
})
