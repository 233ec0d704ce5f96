/** Pictures, byte for byte, and what is drawn: every path of the matrix to them. */
import { documentsOf, equal } from '../appwrite/documents.ts'
import type { Person } from '../person.ts'
import { jpeg } from '../pictures.ts'
import { filesPath, pieceOf, send } from '../uploading.ts'
import { type Attempt, outcome, reading, type Scene, shows, writing } from './attempt.ts'
import type { Cast } from './cast.ts'
import type { RowId } from './table.ts'

const get = (who: Person, path: string, headers?: Record<string, string>, method = 'GET') =>
  who.request(method, path, undefined, headers)

/** Every way to learn anything of a picture, its known tag among them. */
function ways(row: RowId, fileOf: (scene: Scene) => string): Attempt[] {
  const at =
    (way: string, headers?: Record<string, string>, method?: string): Attempt['act'] =>
    async (who, scene) =>
      outcome(await get(who, `${filesPath}/${fileOf(scene)}${way}`, headers, method))
  const known =
    (way: string): Attempt['act'] =>
    async (who, scene) => {
      const path = `${filesPath}/${fileOf(scene)}${way}`
      const { etag = '"none"' } = (await get(ownerOf(scene), path)).headers
      return outcome(await get(who, path, { 'if-none-match': etag }))
    }
  return reading(row, {
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

const ownerOf = ({ cast, column }: Scene) => (column === 'L' ? cast.ola : cast.ana)
const pictureOf = ({ cast, column }: Scene) => (column === 'L' ? cast.left : cast.kept).imageId
const unused = async ({ cast, succeeds }: Scene) =>
  succeeds ? await cast.ana.upload(await jpeg('#22aa44')) : cast.unattached

const sees = (row: RowId, paths: Record<string, (cast: Cast) => string>): Attempt[] =>
  reading(
    row,
    Object.fromEntries(
      Object.entries(paths).map(([path, of]) => [
        path,
        async (who: Person, { cast }: Scene) => outcome(await get(who, of(cast))),
      ]),
    ),
  )

export const fileAttempts: Attempt[] = [
  ...writing('FI1', { upload: async (who) => outcome(await send(who, { bytes: await jpeg() })) }),
  ...writing('FI2', {
    upload: async (who, { cast }) => {
      const { id, bytes } = cast.unfinished
      return outcome(await send(who, { continues: id, ...pieceOf(bytes, 1) }))
    },
  }),
  ...reading('FI3', {
    'list of files': async (who, { cast }) => shows(await get(who, filesPath), cast.unattached),
    'list of files by name': async (who, { cast }) =>
      shows(await get(who, `${filesPath}?search=picture`), cast.unattached, cast.portrait),
  }),
  ...ways('FI4', ({ cast }) => cast.shown.imageId),
  ...ways('FI5', pictureOf),
  {
    row: 'FI5',
    path: 'the post found by its picture',
    worded: { '404': 'E' },
    act: async (who, scene) =>
      shows(await documentsOf(who, 'posts').list(equal('imageId', pictureOf(scene))), pictureOf(scene)),
  },
  ...ways('FI6', ({ cast }) => cast.portrait),
  ...ways('FI7', ({ cast }) => cast.groupImage),
  ...ways('FI8', ({ cast }) => cast.unattached),
  ...writing('FI9', {
    'PUT of the file': async (who, { cast }) =>
      outcome(await who.request('PUT', `${filesPath}/${cast.unattached}`, { name: 'otra.jpg' })),
  }),
  ...writing('FI9 readable', {
    'PUT of the file': async (who, { cast }) =>
      outcome(await who.request('PUT', `${filesPath}/${cast.shown.imageId}`, { name: 'otra.jpg' })),
  }),
  ...writing('FI10', {
    'DELETE of the file': async (who, scene) =>
      outcome(await who.request('DELETE', `${filesPath}/${await unused(scene)}`)),
  }),
  ...writing('FI10 in use', {
    'DELETE of the file': async (who, { cast }) =>
      outcome(await who.request('DELETE', `${filesPath}/${cast.shown.imageId}`)),
  }),
  ...sees('FI11', { initials: () => '/v1/avatars/initials?name=Ana' }),
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
