/** Claims the uploads that a record shows, in the statement that writes the record. */
import { sql } from 'kysely'
import { throwFailure } from '../errors.ts'
import type { WriteActor } from './actor.ts'
import type { PicturePurpose } from './collection-definitions.ts'
import { refusalSqlStates, whereActorMayAct } from './write-permission.ts'

/** An upload's public id, with its description unless unchanged. */
export type RequestedPhoto = { id: string; alt: string | undefined }

/**
 * Claims finished uploads for the record about to be written, in one order of locks; a file belongs to one record. With `offset 0` each is
 * looked up by its id; without, the planner may read all uploads that wait (decision 0208).
 */
export const claimUploads = (actor: WriteActor, fileIds: readonly string[], purpose: string) => sql`
  update files set state = 'attached', purpose = ${purpose} from (
    select files.id, files.state from files where files.public_id = any(${fileIds}::text[])
      and ${whereActorMayAct(actor, 'update', 'files', 'files')} order by files.id offset 0 for no key update
  ) as named where files.id = named.id and named.state = 'ready'
  returning files.id, files.public_id`
/** Selects the first of the claimed files, or rolls back where one of the requested was not free. */
export const firstClaimedFileOrRollback = ([first, ...others]: readonly RequestedPhoto[]) => sql`
  case when (select count(*) from claimed) = ${others.length + 1} then (select id from claimed where public_id = ${first?.id})
    else refuse(${sql.lit(refusalSqlStates.unclaimed)}) end`
/** Every file that is wanted must have been free; of a row that was there none may be, since its own are its own. */
export const rollBackUnlessAllFilesClaimed = ({ length }: readonly RequestedPhoto[]) => sql`
  case when written.existed and (select count(*) from claimed) > 0 then refuse(${sql.lit(refusalSqlStates.taken)})
    when not written.existed and (select count(*) from claimed) < ${length} then refuse(${sql.lit(refusalSqlStates.unclaimed)})
  end as claims`
export const throwFilesNotClaimed = (purpose?: PicturePurpose): never =>
  throwFailure('storage_file_not_found', { field: purpose === 'message' ? 'photos' : 'imageId' })
