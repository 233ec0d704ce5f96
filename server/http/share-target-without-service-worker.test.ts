import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const counts = async () => {
  const { rows } = await sql<{ files: number; posts: number; changes: number }>`
    select (select count(*)::int from files) as files, (select count(*)::int from posts) as posts,
      (select count(*)::int from changes) as changes`.execute(w.database.kysely)
  return rows[0]
}

test.each([
  ['this site', 'http://localhost:3000', 303],
  ['another site', 'https://evil.example', 403],
])(
  'PWA-11 a photo posted to /share from %s changes nothing on the server, signed in or not',
  async (_, origin, status) => {
    const before = await counts()
    const body = new FormData()
    body.append('photo', new Blob([Uint8Array.from(await createJpeg())], { type: 'image/jpeg' }), 'a.jpg')
    const encoded = new Response(body)
    const bytes = Buffer.from(await encoded.arrayBuffer())
    for (const person of [ana, w.visitor]) {
      const answer = await person.request('POST', '/share', bytes, {
        'content-type': encoded.headers.get('content-type') ?? '',
        origin,
      })
      expect(answer.status).toBe(status)
      if (status === 303) expect(answer.headers.location).toBe('/create-post')
    }
    expect(await counts()).toEqual(before)
  },
)
