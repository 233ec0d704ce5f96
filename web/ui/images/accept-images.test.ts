import type { FileError } from 'react-dropzone'
import { expect, test } from 'vitest'
import { errorCatalogue } from '#contract/errors.ts'
import { dropzoneOptions, explainImageRefusal } from '#web/ui/images/accept-images.ts'

const reason = (code: string, bounds = {}) =>
  dropzoneOptions(bounds).getErrorMessage({ code, message: 'what the library says' } as FileError)

test('UPL-06 the error for a wrong file type names the accepted types', () => {
  expect(reason('file-invalid-type')).toBe(
    'File type must be one of image/png, image/jpeg, .png, .jpeg, .jpg',
  )
})

test('UPL-07 choosing two pictures at once is refused', () => {
  expect(dropzoneOptions({}).multiple).toBe(false)
  expect(reason('too-many-files')).toBe('Too many files')
})

test('UPL-08 the errors give size limits in bytes', () => {
  expect(reason('file-too-large', { maxSize: 2_000_000 })).toBe('File is larger than 2000000 bytes')
  expect(reason('file-too-small', { minSize: 100 })).toBe('File is smaller than 100 bytes')
})

test('UPL-12 every reason for a refusal also has a plain explanation', () => {
  const messageOf = (type: keyof typeof errorCatalogue) => errorCatalogue[type][1]
  for (const literal of [
    reason('file-invalid-type'),
    reason('too-many-files'),
    reason('file-too-large', { maxSize: 2_000_000 }),
    reason('file-too-small', { minSize: 100 }),
    messageOf('storage_file_type_unsupported'),
    messageOf('storage_file_empty'),
    messageOf('storage_image_too_large'),
    messageOf('storage_invalid_file_size'),
  ])
    expect(explainImageRefusal(literal), literal).toMatch(/^Choose .+\.$/)
  expect(explainImageRefusal(messageOf('storage_file_damaged'))).toBeUndefined()
})

test('UPL-09 without size limits any size is accepted', () => {
  expect(dropzoneOptions({})).toMatchObject({ minSize: 0, maxSize: Number.POSITIVE_INFINITY })
})
