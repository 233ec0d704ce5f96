import {
  acceptPhotoTagOperation,
  removePhotoTagOperation,
  stopWithholdingPhotoOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

/** Returns a new tag if the attempt will change it. */
const asked = ({ cast, succeeds }: AccessAttemptContext) => (succeeds ? cast.nameBea() : cast.named)
const storage = '/v1/storage/buckets/media/files'

export const photoTagAccessAttempts: AccessAttempt[] = [
  ...defineWriteAttempts('NP1', {
    tagPerson: async (who, { cast }) => {
      const { $id: postId, imageId } = cast.named.post
      const personId = who === cast.bea ? cast.fio.id : cast.bea.id
      return toMatrixOutcome(await who.ask(tagPersonOperation, { postId, imageId, personId, x: 0.5, y: 0.5 }))
    },
  }),
  ...defineWriteAttempts('NP2', {
    acceptPhotoTag: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(acceptPhotoTagOperation, { photoTagId: (await asked(scene)).photoTagId }),
      ),
  }),
  ...defineWriteAttempts('NP3', {
    removePhotoTag: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(removePhotoTagOperation, { photoTagId: (await asked(scene)).photoTagId }),
      ),
  }),
  ...defineWriteAttempts('NP4', {
    withholdPhoto: async (who, scene) => {
      const { $id: postId, imageId } = (await asked(scene)).post
      return toMatrixOutcome(await who.ask(withholdPhotoOperation, { postId, imageId }))
    },
    stopWithholdingPhoto: async (who, scene) => {
      const { $id: postId, imageId } = (await asked(scene)).post
      return toMatrixOutcome(await who.ask(stopWithholdingPhotoOperation, { postId, imageId }))
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
