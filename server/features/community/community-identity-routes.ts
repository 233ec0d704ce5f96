import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import * as contract from '#contract/community/community-identity.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { sendCachedImage } from '../../files/file-response.ts'
import { deleteFileInStates, type FileRow, findFile, renderFileImage } from '../../files/stored-files.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { recordOperatorAct } from '../admin/operator-acts.ts'
import { readCommunityIdentity, writeCommunityIdentity } from './community-identity.ts'

export function registerCommunityIdentityRoutes(app: FastifyInstance, context: AppContext): void {
  const { database } = context

  registerRoute(app, context, contract.getCommunityIdentityOperation, () =>
    readCommunityIdentity(database.kysely),
  )

  registerRoute(app, context, contract.updateCommunityIdentityOperation, async (change, ctx) => {
    await changeIdentity(ctx, (db) => writeCommunityIdentity(db, change))
    return readCommunityIdentity(database.kysely)
  })

  registerRoute(app, context, contract.setCommunityLogoOperation, async ({ fileId }, ctx) => {
    const file = await findFile(ctx, ctx.me.id, fileId)
    if (file.owner_id !== ctx.me.id || file.state === 'uploading')
      throwFailure('storage_file_not_found', { field: 'fileId' })
    if (file.state !== 'ready') throwFailure('storage_file_in_use', { field: 'fileId' })
    const [small, large] = [await renderSquare(ctx, file, 192), await renderSquare(ctx, file, 512)]
    const version = createHash('sha256').update(small).update(large).digest('hex').slice(0, 16)
    await changeIdentity(ctx, async (db) => {
      const { rows } = await sql`
        insert into community_logo as l (version, small, large) values (${version}, ${small}, ${large})
        on conflict (only_row) do update set version = excluded.version, small = excluded.small, large = excluded.large
          where l.version <> excluded.version
        returning version`.execute(db)
      return rows.length > 0 ? ['logo'] : []
    })
    await deleteFileInStates(ctx, file, ['ready'])
    return readCommunityIdentity(database.kysely)
  })

  registerRoute(app, context, contract.removeCommunityLogoOperation, async (_input, ctx) => {
    await changeIdentity(ctx, async (db) => {
      const { rows } = await sql`delete from community_logo returning version`.execute(db)
      return rows.length > 0 ? ['logo'] : []
    })
    return readCommunityIdentity(database.kysely)
  })

  registerRoute(app, context, contract.getCommunityLogoOperation, async ({ version, size }, { reply }) => {
    const logo = await database.kysely
      .selectFrom('community_logo')
      .select(size === '512' ? 'large as bytes' : 'small as bytes')
      .where('version', '=', version)
      .executeTakeFirst()
    if (!logo) return throwFailure('storage_file_not_found')
    sendCachedImage(
      reply,
      { type: 'image/png', bytes: logo.bytes },
      {
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      },
    )
  })

  registerRoute(
    app,
    context,
    contract.dismissAnnouncementOperation,
    async ({ version }, { caller, store }) => {
      await store.transact(({ db }) =>
        sql`update accounts set announcement_seen =
          greatest(announcement_seen, least(${version}, (select announcement_version from community)))
        where id = ${caller.account.id}`.execute(db),
      )
    },
  )
}

async function changeIdentity(
  { store, me, identity }: RequestContext,
  write: (db: Kysely<DatabaseTables>) => Promise<string[]>,
): Promise<void> {
  await store.transact(async ({ db }) => {
    const fields = await write(db)
    if (fields.length > 0)
      await recordOperatorAct(db, 'community.update', { by: { member: me.id }, detail: { fields } })
  })
  await identity.refresh()
}

const renderSquare = (ctx: RequestContext, file: FileRow, side: number): Promise<Buffer> =>
  renderFileImage(
    ctx,
    ctx.me.id,
    file,
    {
      width: side,
      height: side,
      gravity: 'center',
      opacity: 1,
      background: null,
      border: { width: 0, color: '000000' },
      radius: 0,
      rotation: 0,
      format: 'png',
      quality: null,
    },
    ctx.request.signal,
  )
