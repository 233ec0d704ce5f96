import { afterEach, expect, test, vi } from 'vitest'
import { uploadChunkBytes } from '#contract/limits.ts'
import { splitIntoUploadChunks, uploadPicture } from '#web/api/upload.ts'

test('UPL-10 exactly 5 MB are uploaded in one request, and one byte more in two', () => {
  expect(uploadChunkBytes).toBe(5_242_880)
  expect(splitIntoUploadChunks(1)).toEqual([{ start: 0, end: 1 }])
  expect(splitIntoUploadChunks(5_242_880)).toEqual([{ start: 0, end: 5_242_880 }])
  expect(splitIntoUploadChunks(5_242_881)).toEqual([
    { start: 0, end: 5_242_880 },
    { start: 5_242_880, end: 5_242_881 },
  ])
})

test('UPL-10 a picture of 12 MB is split into three consecutive chunks', () => {
  const size = 12 * 1024 * 1024
  const chunks = splitIntoUploadChunks(size)
  expect(chunks).toHaveLength(3)
  expect(chunks.at(-1)?.end).toBe(size)
  expect(chunks.slice(1).map(({ start }) => start)).toEqual(chunks.slice(0, -1).map(({ end }) => end))
})

test('UPL-09 an empty file is still sent to the server', () => {
  expect(splitIntoUploadChunks(0)).toEqual([{ start: 0, end: 0 }])
})

class RecordingRequest {
  static readonly sent: FormData[] = []
  readonly upload = {}
  readonly status = 201
  readonly responseText = '{"$id":"foto","chunksTotal":1,"chunksUploaded":1}'
  onload?: () => void
  open() {}
  setRequestHeader() {}
  send(body: FormData) {
    RecordingRequest.sent.push(body)
    this.onload?.()
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each([
  ['image/jpeg', 'photo.jpg'],
  ['image/png', 'photo.png'],
  ['', 'photo.jpg'],
])("the name of ana's picture of type %j stays on her device", async (type, sent) => {
  vi.stubGlobal('XMLHttpRequest', RecordingRequest)
  vi.stubGlobal('localStorage', { getItem: () => null })
  await uploadPicture(new File(['x'], 'Maria Lopez, Calle Mayor 5.jpg', { type }))
  const file = RecordingRequest.sent.at(-1)?.get('file') as File
  expect([file.name, file.type]).toEqual([sent, type])
})
