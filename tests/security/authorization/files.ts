import type { MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import type { PermissionMatrixRowId } from '#scripts/docs/permission-matrix.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'
import type { PermissionMatrixActors } from './actors.ts'

const get = (who: MemberClient, path: string, headers?: Record<string, string>, method = 'GET') =>
  who.request(method, path, undefined, headers)

function ways(row: PermissionMatrixRowId, fileOf: (scene: AccessAttemptContext) => string): AccessAttempt[] {
  const at =
    (way: string, headers?: Record<string, string>, method?: string): AccessAttempt['act'] =>
    async (who, scene) =>
      toMatrixOutcome(await get(who, `${appwriteFilesPath}/${fileOf(scene)}${way}`, headers, method))
  const known =
    (way: string): AccessAttempt['act'] =>
    async (who, scene) => {
      const path = `${appwriteFilesPath}/${fileOf(scene)}${way}`
      const { etag = '"none"' } = (await get(ownerOf(scene), path)).headers
      return toMatrixOutcome(await get(who, path, { 'if-none-match': etag }))
    }
  const content =
    (query: string, method?: string): AccessAttempt['act'] =>
    async (who, scene) =>
      toMatrixOutcome(await get(who, `/v1/files/${fileOf(scene)}/content${query}`, {}, method))
  return defineReadAttempts(row, {
    'the file': async (who, scene) => toMatrixOutcome(await get(who, `/v1/files/${fileOf(scene)}`)),
    content: content(''),
    'small content': content('?width=64'),
    'HEAD of content': content('?width=64', 'HEAD'),
    metadata: at(''),
    view: at('/view'),
    download: at('/download'),
    preview: at('/preview'),
    'a small preview': at('/preview?width=64'),
    'a composed preview': at('/preview?width=64&height=64&borderWidth=2&borderColor=aa3300&output=png'),
    'a part of view': at('/view', { range: 'bytes=0-9' }),
    'a part of download': at('/download', { range: 'bytes=5-' }),
    'HEAD of view': at('/view', {}, 'HEAD'),
    'HEAD of download': at('/download', {}, 'HEAD'),
    'HEAD of preview': at('/preview?width=64', {}, 'HEAD'),
    'the known tag of view': known('/view'),
    'the known tag of preview': known('/preview?width=64'),
  })
}

const ownerOf = ({ cast, column }: AccessAttemptContext) => (column === 'L' ? cast.ola : cast.ana)
const pictureOf = ({ cast, column }: AccessAttemptContext) => (column === 'L' ? cast.left : cast.kept).imageId
const anotherPhotoOf = (scene: AccessAttemptContext) =>
  (scene.column === 'L' ? scene.cast.left : scene.cast.kept).photos.at(-1)?.id ?? ''
/** Rows about a block use the conversation across it. */
const messagePhotoOf = ({ cast, column }: AccessAttemptContext) => {
  const other = column === 'K' ? cast.kira : column === 'C' ? cast.kora : cast.bea
  return cast.conversationBetween(other).message.photos[0]?.id ?? ''
}
const unused = async ({ cast, succeeds }: AccessAttemptContext) =>
  succeeds ? await cast.ana.upload(await createJpeg('#22aa44')) : cast.unattached

const sees = (
  row: PermissionMatrixRowId,
  paths: Record<string, (cast: PermissionMatrixActors) => string>,
): AccessAttempt[] =>
  defineReadAttempts(
    row,
    Object.fromEntries(
      Object.entries(paths).map(([path, of]) => [
        path,
        async (who: MemberClient, { cast }: AccessAttemptContext) =>
          toMatrixOutcome(await get(who, of(cast))),
      ]),
    ),
  )

export const fileAccessAttempts: AccessAttempt[] = [
  ...defineWriteAttempts('FI1', {
    upload: async (who) => toMatrixOutcome(await sendRawUpload(who, { bytes: await createJpeg() })),
    uploadFile: async (who) =>
      toMatrixOutcome(await sendRawUpload(who, { bytes: await createJpeg(), path: '/v1/files' })),
  }),
  ...defineWriteAttempts('FI2', {
    upload: async (who, { cast }) => {
      const { id, bytes } = cast.unfinished
      return toMatrixOutcome(await sendRawUpload(who, { continues: id, ...sliceUploadChunk(bytes, 1) }))
    },
    uploadChunk: async (who, { cast, succeeds }) => {
      const { id, bytes } = cast.unfinished
      const begun = succeeds
        ? (await sendRawUpload(cast.ana, { ...sliceUploadChunk(bytes, 0) })).body.$id
        : id
      return toMatrixOutcome(
        await sendRawUpload(who, { ...sliceUploadChunk(bytes, 1), path: `/v1/files/${begun}/chunks` }),
      )
    },
  }),
  ...defineReadAttempts('FI3', {
    'list of files': async (who, { cast }) =>
      checkResponseMentions(await get(who, appwriteFilesPath), cast.unattached),
    'list of files by name': async (who, { cast }) =>
      checkResponseMentions(
        await get(who, `${appwriteFilesPath}?search=picture`),
        cast.unattached,
        cast.portrait,
      ),
  }),
  ...ways('FI4', ({ cast }) => cast.shown.imageId),
  ...ways('FI5', pictureOf),
  {
    row: 'FI5',
    path: 'the post found by its picture',
    worded: { '404': 'E' },
    act: async (who, scene) =>
      checkResponseMentions(
        await createAppwriteDocumentsClient(who, 'posts').list(
          buildAppwriteEqualQuery('imageId', pictureOf(scene)),
        ),
        pictureOf(scene),
      ),
  },
  ...ways('FI5', anotherPhotoOf)
    .filter(({ path }) => ['the file', 'small content', 'view', 'download', 'preview'].includes(path))
    .map((attempt) => ({ ...attempt, path: `${attempt.path} of another photo` })),
  ...ways('FI6', ({ cast }) => cast.portrait),
  ...ways('FI7', ({ cast }) => cast.groupImage),
  ...ways('FI8', ({ cast }) => cast.unattached),
  ...ways('CP1', messagePhotoOf),
  ...defineWriteAttempts('FI9', {
    'PUT of the file': async (who, { cast }) =>
      toMatrixOutcome(
        await who.request('PUT', `${appwriteFilesPath}/${cast.unattached}`, { name: 'otra.jpg' }),
      ),
  }),
  ...defineWriteAttempts('FI9 readable', {
    'PUT of the file': async (who, { cast }) =>
      toMatrixOutcome(
        await who.request('PUT', `${appwriteFilesPath}/${cast.shown.imageId}`, { name: 'otra.jpg' }),
      ),
  }),
  ...defineWriteAttempts('FI10', {
    deleteFile: async (who, scene) =>
      toMatrixOutcome(await who.request('DELETE', `/v1/files/${await unused(scene)}`)),
    'DELETE of the file': async (who, scene) =>
      toMatrixOutcome(await who.request('DELETE', `${appwriteFilesPath}/${await unused(scene)}`)),
  }),
  ...defineWriteAttempts('FI10 in use', {
    deleteFile: async (who, { cast }) =>
      toMatrixOutcome(await who.request('DELETE', `/v1/files/${cast.shown.imageId}`)),
    'DELETE of the file': async (who, { cast }) =>
      toMatrixOutcome(await who.request('DELETE', `${appwriteFilesPath}/${cast.shown.imageId}`)),
  }),
  ...sees('FI11', {
    initials: () => '/v1/avatars/initials?name=Ana',
    getInitials: () => '/v1/people/avatars/initials?name=Ana',
  }),
  ...sees('FI12', {
    browsers: () => '/v1/avatars/browsers/ff?width=20',
    'credit-cards': () => '/v1/avatars/credit-cards/visa?width=20',
    flags: () => '/v1/avatars/flags/es?width=20',
    qr: () => '/v1/avatars/qr?text=ana&size=20',
  }),
  ...sees('FI13', {
    image: (cast) => `/v1/avatars/image?url=${encodeURIComponent(cast.site('/red.jpg'))}`,
    favicon: (cast) => `/v1/avatars/favicon?url=${encodeURIComponent(cast.site('/page'))}`,
  }),
]
