import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  listPhotosOfMeOperation,
  type PhotoOfMe,
  stopWithholdingPhotoOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import type { AppContext } from '../../app-context.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { throwFailure } from '../../errors.ts'
import { buildPictureUrl } from '../../files/picture-urls.ts'
import {
  countGroupAudience,
  memberKeyParameter,
  whereMemberMayRead,
  whereMemberMayWrite,
  wherePhotoShown,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'
import { selectPostPhotos } from '../posts/post-photos.ts'
import { syncPostWithWithheldPhotos } from './sync-withheld-photos.ts'

const maxWaitingCount = 100

export function registerPhotosOfMeRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listPhotosOfMeOperation,
    async ({ state, cursor, limit = listPageSize }, ctx) => {
      const meParam = memberKeyParameter(ctx.me.id)
      const db = ctx.database.kysely
      const after = cursor === undefined ? null : await findCursor(ctx, cursor)
      const filters: Record<PhotoOfMe['state'], RawBuilder<unknown>> = {
        waiting: isWaiting,
        shown: sql`n.hidden_at is null and n.state = 'shown'`,
        hidden: sql`n.hidden_at is not null`,
      }
      const { rows } = await sql<PhotoOfMeRow>`
      select n.public_id as "$id", n.state as name, n.hidden_at is not null as hidden, n.x, n.y,
        coalesce(n.hidden_at, n.decided_at, n.asked_at) as at, p.public_id as post_id, f.public_id as image_id,
        seen.readable, f.width, f.height, f.thumbhash, photo.alt, g.public_id as group_id, g.name as group_name, p.followers_only,
        case when seen.readable and p.group_id is not null then ${countGroupAudience(meParam, sql.ref('p.group_id'))} end as group_count,
        ${personSummaryColumns}
      from post_people n
      join posts p on p.id = n.post_id
      join files f on f.id = n.file_id
      ${joinPersonSummaryRow(sql`p.creator_id`)}
      cross join lateral (select coalesce(${whereMemberMayRead(meParam, 'posts', 'p')}, false) as readable) as seen
      left join lateral (
        select shown.alt from ${selectPostPhotos('p')} shown where shown.file_id = n.file_id and ${wherePhotoShown(meParam, 'shown', 'p')}
      ) photo on true
      left join groups g on g.id = p.group_id
      where n.person_id = ${meParam} and ${whereMemberMayRead(meParam, 'post_people', 'n')}
        and (n.state <> 'declined' or n.hidden_at is not null)
        ${state ? sql`and ${filters[state]}` : sql``} ${after === null ? sql`` : sql`and n.id < ${after}`}
      order by n.id desc limit ${limit}`.execute(db)
      const { rows: counted } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from (
        select from post_people n where n.person_id = ${meParam} and ${isWaiting} limit ${maxWaitingCount}) as waiting`.execute(
        db,
      )
      const last = rows.at(-1)
      return {
        documents: rows.map((row) => toPhotoOfMe(ctx, row)),
        next: last && rows.length === limit ? last.$id : null,
        waiting: counted[0]?.waiting ?? 0,
      }
    },
  )

  registerRoute(app, context, withholdPhotoOperation, (photo, ctx) => setHidden(ctx, photo, true))
  registerRoute(app, context, stopWithholdingPhotoOperation, (photo, ctx) => setHidden(ctx, photo, false))
}

const isWaiting = sql`n.hidden_at is null and n.state = 'waiting'`

type PhotoOfMeRow = PersonSummaryRecord & {
  $id: string
  name: PhotoOfMe['name']
  hidden: boolean
  x: number
  y: number
  at: Date
  post_id: string
  image_id: string
  readable: boolean
  width: number
  height: number
  thumbhash: Buffer
  alt: string | null
  group_id: string | null
  group_name: string | null
  group_count: number | null
  followers_only: boolean
}

/** If the caller cannot read the post, only the tag is shown, and the caller can still hide the photo. */
function toPhotoOfMe({ config }: RequestContext, row: PhotoOfMeRow): PhotoOfMe {
  const { $id, name, x, y } = row
  const kind = row.group_id ? 'group' : row.followers_only ? 'followers' : 'everyone'
  return {
    ...{ $id, name, x, y },
    state: row.hidden || name === 'declined' ? 'hidden' : name,
    at: formatIsoTimestamp(row.at),
    postId: row.post_id,
    imageId: row.image_id,
    post: row.readable
      ? {
          creator: toPersonSummary(config, row),
          group: row.group_id === null ? null : { $id: row.group_id, name: row.group_name ?? '' },
          audience: { kind, count: row.group_count },
          photo:
            row.hidden || row.alt === null
              ? null
              : {
                  id: row.image_id,
                  url: buildPictureUrl(config, row.image_id),
                  width: row.width,
                  height: row.height,
                  thumbhash: row.thumbhash.toString('base64'),
                  alt: row.alt,
                },
        }
      : null,
  }
}

async function findCursor({ me, database }: RequestContext, cursor: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select n.id from post_people n where n.public_id = ${cursor} and n.person_id = ${me.id}`.execute(
    database.kysely,
  )
  return rows[0]?.id ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}

const setHidden = (
  { me, store }: RequestContext,
  { postId, imageId }: { postId: string; imageId: string },
  hidden: boolean,
) =>
  store.transact(async (tx) => {
    await tx.lock('posts', postId)
    const { rows } = await sql<{ id: number; public_id: string; post_id: number; file_id: number }>`
      update post_people n set hidden_at = ${hidden ? sql`coalesce(n.hidden_at, clock_timestamp())` : sql`null`}
      from posts p, files f
      where p.public_id = ${postId} and f.public_id = ${imageId} and n.post_id = p.id and n.file_id = f.id
        and n.person_id = ${me.id} and ${whereMemberMayWrite(memberKeyParameter(me.id), 'update', 'post_people', 'n')}
      returning n.id, n.public_id, n.post_id, n.file_id`.execute(tx.db)
    const [photoTag] = rows
    if (!photoTag) return throwFailure('document_not_found')
    await syncPostWithWithheldPhotos(tx, photoTag.post_id)
    await tx.recordAccountChange('namings', 'update', photoTag, [me.id])
    const { rows: left } = await sql`
      select from post_people where file_id = ${photoTag.file_id} and hidden_at is not null limit 1`.execute(
      tx.db,
    )
    return { withheld: left.length > 0 }
  })
