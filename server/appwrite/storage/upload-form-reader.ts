import { throwFailure } from '#server/errors.ts'
import type { UploadRequestReader } from '#server/files/multipart-upload.ts'
import { generateId, isValidPublicId, serverGeneratedIdPlaceholder } from '#server/ids.ts'
import { validatePermissionStrings } from '../permission-strings.ts'

export const appwriteUploadFormReader: UploadRequestReader = {
  continuedId({ headers }) {
    const id = headers['x-appwrite-id']
    if (id !== undefined && !isValidPublicId(id)) throwFailure('storage_invalid_appwrite_id')
    return id as string | undefined
  },
  checkFields: (fields) =>
    validatePermissionStrings(
      fields.filter(({ name }) => /^permissions\[\d*\]$/.test(name)).map(({ value }) => value),
    ),
  newId(fields) {
    const given = fields.findLast(({ name, value }) => name === 'fileId' && typeof value === 'string')
    if (!given) {
      return throwFailure('general_argument_invalid', {
        message: 'Param "fileId" is not optional.',
        field: 'fileId',
      })
    }
    if (given.value === serverGeneratedIdPlaceholder) return generateId()
    if (isValidPublicId(given.value)) return given.value
    return throwFailure('general_argument_invalid', {
      message:
        "Invalid `fileId` param: Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
      field: 'fileId',
    })
  },
}
