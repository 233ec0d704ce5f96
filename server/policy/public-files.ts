/** Devices may cache files that every member sees. */
import { type Expression, sql } from 'kysely'
import type { SqlCondition } from './rule.ts'

/** Covers profile pictures, and photos of public posts that are neither hidden nor withheld. */
export const isPublicFile = (file: Record<'id' | 'state' | 'purpose', Expression<unknown>>): SqlCondition =>
  sql`(${file.state} = 'attached' and (${file.purpose} = 'user' or exists (select from posts kp
    where kp.id = coalesce((select cp.id from posts cp where cp.image_id = ${file.id} and cp.withheld_by is null),
        (select pp.post_id from post_photos pp where pp.file_id = ${file.id} and pp.withheld_by is null))
      and kp.group_id is null and not kp.followers_only and kp.hidden_at is null)))`
