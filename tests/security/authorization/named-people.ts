/** Bea in ana's photos, asked, named and hidden: every path of the matrix to them. */
import {
  acceptNamingOperation,
  namePersonOperation,
  showPhotoOperation,
  unnamePersonOperation,
  withholdPhotoOperation,
} from '#contract/named-people/named-people.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './attempt.ts'

/** Bea's name in a photo; where it will not stay as it was, one of its own. */
const asked = ({ cast, succeeds }: AccessAttemptContext) => (succeeds ? cast.nameBea() : cast.named)
const storage = '/v1/storage/buckets/media/files'

export const namedPeopleAccessAttempts: AccessAttempt[] = [
  ...defineWriteAttempts('NP1', {
    namePerson: async (who, { cast }) => {
      const { $id: postId, imageId } = cast.named.post
      const personId = who === cast.bea ? cast.fio.id : cast.bea.id
      return toMatrixOutcome(
        await who.ask(namePersonOperation, { postId, imageId, personId, x: 0.5, y: 0.5 }),
      )
    },
  }),
  ...defineWriteAttempts('NP2', {
    acceptNaming: async (who, scene) =>
      toMatrixOutcome(await who.ask(acceptNamingOperation, { namingId: (await asked(scene)).namingId })),
  }),
  ...defineWriteAttempts('NP3', {
    unnamePerson: async (who, scene) =>
      toMatrixOutcome(await who.ask(unnamePersonOperation, { namingId: (await asked(scene)).namingId })),
  }),
  ...defineWriteAttempts('NP4', {
    withholdPhoto: async (who, scene) => {
      const { $id: postId, imageId } = (await asked(scene)).post
      return toMatrixOutcome(await who.ask(withholdPhotoOperation, { postId, imageId }))
    },
    showPhoto: async (who, scene) => {
      const { $id: postId, imageId } = (await asked(scene)).post
      return toMatrixOutcome(await who.ask(showPhotoOperation, { postId, imageId }))
    },
  }),
  ...defineReadAttempts('NP5', {
    file: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `/v1/files/${cast.hiddenPhoto.imageId}`)),
    content: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `/v1/files/${cast.hiddenPhoto.imageId}/content?width=64`)),
    view: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `${storage}/${cast.hiddenPhoto.imageId}/view`)),
    preview: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `${storage}/${cast.hiddenPhoto.imageId}/preview?width=64`)),
    download: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `${storage}/${cast.hiddenPhoto.imageId}/download`)),
  }),
]
