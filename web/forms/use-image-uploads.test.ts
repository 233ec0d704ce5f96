import { afterEach, expect, test, vi } from 'vitest'
import { createImageUploads } from './use-image-uploads.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('UPL-10 PCRE-19 a photo whose upload failed while ana saved is not sent again until she resumes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let sent = 0
  class BrokenRequest {
    upload = {}
    onerror = () => {}
    open() {}
    setRequestHeader() {}
    send() {
      sent += 1
      this.onerror()
    }
  }
  vi.stubGlobal('XMLHttpRequest', BrokenRequest)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const uploads = createImageUploads(() => {})
  const photo = new File(['photo'], 'photo.jpg', { type: 'image/jpeg' })
  const soon = uploads.beginSoon(photo)
  await expect(uploads.begin(photo)).rejects.toMatchObject({ code: 0 })
  expect(sent).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(soon).resolves.toBeUndefined()
  expect(sent).toBe(1)

  const resumed = uploads.beginSoon(photo)
  resumed.catch(() => {})
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(resumed).rejects.toMatchObject({ code: 0 })
  expect(sent).toBe(2)
})
