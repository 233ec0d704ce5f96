import { sql } from 'kysely'
import { throwFailure } from '../errors.ts'
import type { WriteActor } from './actor.ts'
import type { PicturePurpose } from './collection-definitions.ts'
import { refusalSqlStates, whereActorMayAct } from './write-permission.ts'

/** If the description is undefined, the stored one stays. */
export type RequestedPhoto = { id: string; alt: string | undefined }

/**
 * Claims uploads, because a file belongs to only one record. Uploads are locked in a fixed order.
 * `offset 0` makes PostgreSQL look up each id instead of reading all pending uploads (decision 0208).
 */
export const claimUploads = (actor: WriteActor, fileIds: readonly string[], purpose: string) => sql`
  update files set state = 'attached', purpose = ${purpose} from (
    select files.id, files.state from files where files.public_id = any(${fileIds}::text[])
      and ${whereActorMayAct(actor, 'update', 'files', 'files')} order by files.id offset 0 for no key update
  ) as named where files.id = named.id and named.state = 'ready'
  returning files.id, files.public_id`
/** Rolls back if a requested file does not exist or is in use. */
export const firstClaimedFileOrRollback = ([first, ...others]: readonly RequestedPhoto[]) => sql`
  case when (select count(*) from claimed) = ${others.length + 1} then (select id from claimed where public_id = ${first?.id})
    else refuse(${sql.lit(refusalSqlStates.unclaimed)}) end`
/** If the row already existed, the files already belong to it, so none may be claimed. */
export const rollBackUnlessAllFilesClaimed = ({ length }: readonly RequestedPhoto[]) => sql`
  case when written.existed and (select count(*) from claimed) > 0 then refuse(${sql.lit(refusalSqlStates.taken)})
    when not written.existed and (select count(*) from claimed) < ${length} then refuse(${sql.lit(refusalSqlStates.unclaimed)})
  end as claims`
export const throwFilesNotClaimed = (purpose?: PicturePurpose): never =>
  throwFailure('storage_file_not_found', { field: purpose === 'message' ? 'photos' : 'imageId' })
