import type { FileError } from 'react-dropzone'
import { expect, test } from 'vitest'
import { imageRules } from '#web/ui/image-rules.ts'

const reason = (code: string, bounds = {}) =>
  imageRules(bounds).getErrorMessage({ code, message: 'what the library says' } as FileError)

test('UPL-06 a wrong type names the types that are taken', () => {
  expect(reason('file-invalid-type')).toBe(
    'File type must be one of image/png, image/jpeg, .png, .jpeg, .jpg',
  )
})

test('UPL-07 two pictures at once are too many', () => {
  expect(imageRules({}).multiple).toBe(false)
  expect(reason('too-many-files')).toBe('Too many files')
})

test('UPL-08 with bounds, the size is said in bytes', () => {
  expect(reason('file-too-large', { maxSize: 2_000_000 })).toBe('File is larger than 2000000 bytes')
  expect(reason('file-too-small', { minSize: 100 })).toBe('File is smaller than 100 bytes')
})

test('UPL-09 without bounds any size is taken', () => {
  expect(imageRules({})).toMatchObject({ minSize: 0, maxSize: Number.POSITIVE_INFINITY })
})
