import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getCurrentSessionOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makeMember, makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { main } from '#tests/support/component/people.ts'
import { cachedHomeAddress, offlineCacheName } from '#web/service-worker/offline-cache-names.ts'
import type { CachedHome } from './cached-home.ts'

const bea = makeProfile({ name: 'Bea Sanz' })
const me = makeMember({ name: 'Ana Ruiz' })
const cardOf = (caption: string) => main.getByRole('article').filter({ hasText: caption })
const notice = page.getByRole('status').filter({ hasText: 'Juntas isn’t answering.' })

async function openFromDevice() {
  const kept: CachedHome = {
    savedAt: Date.now(),
    me,
    posts: [makePost({ creator: bea, caption: 'El mar de hoy' })],
    leavesOutGroups: false,
  }
  const cache = await caches.open(offlineCacheName)
  await cache.put(cachedHomeAddress, Response.json(kept))
  const entriesOf = performance.getEntriesByType.bind(performance)
  vi.spyOn(performance, 'getEntriesByType').mockImplementation((type) =>
    type === 'navigation'
      ? ([{ serverTiming: [{ name: 'from-device' }] }] as unknown as PerformanceEntryList)
      : entriesOf(type),
  )
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(getHomeFeedOperation, {
    documents: [makePost({ creator: bea, caption: 'Y el monte' })],
    next: null,
  })
}

/** @returns a function that lets the server answer */
function holdAnswers(): () => void {
  const held = [getCurrentSessionOperation, getHomeFeedOperation].map((operation) => api.hold(operation))
  return () => {
    for (const { release } of held) release()
  }
}

afterEach(() => caches.delete(offlineCacheName))

test('PWA-04 until the server answers, Home shows the stored posts, and then the server’s posts', async () => {
  await openFromDevice()
  const answer = holdAnswers()
  await openApp('/', { me, waits: false })
  await expect.element(cardOf('El mar de hoy')).toBeVisible()
  await expect.element(notice).toMatchTextContent('You see what was loaded at')
  answer()
  await expect.element(cardOf('Y el monte')).toBeVisible()
  await expect.element(cardOf('El mar de hoy')).not.toBeInTheDocument()
  await expect.element(notice).not.toBeInTheDocument()
})
