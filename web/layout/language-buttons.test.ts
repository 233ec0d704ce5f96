import { expect, test, vi } from 'vitest'
import { storeLanguage } from './language-buttons.tsx'

/** @param keeps whether the browser returns what was written */
function stubCookies(keeps: boolean): { read: number } {
  const seen = { read: 0 }
  let kept = ''
  vi.stubGlobal('document', {
    get cookie() {
      seen.read += 1
      return kept
    },
    set cookie(written: string) {
      if (keeps) kept = written.split(';')[0] ?? ''
    },
  })
  return seen
}

test('LANG-02 a chosen language is read back before the page reloads, because Chromium stores it later', () => {
  const seen = stubCookies(true)
  expect(storeLanguage('en')).toBe(true)
  expect(seen.read).toBeGreaterThan(0)
})

test('LANG-02 a browser that refuses cookies keeps no language, and the page does not reload', () => {
  stubCookies(false)
  expect(storeLanguage('en')).toBe(false)
})
