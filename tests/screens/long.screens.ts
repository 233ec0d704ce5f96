/** The longest that the product takes, and likes that take five digits: nothing may break out of its place. */
import { Client } from 'pg'
import { groupDescriptionLength, groupNameLength, tagCount } from '#contract/limits.ts'
import type { Person } from '#tests/journeys/fixtures.ts'
import { ask, found } from '#tests/journeys/grouping.ts'
import { follow, publish } from '#tests/journeys/posting.ts'
import type { RunningServer } from '#tests/server.ts'
import { photo } from '../../scripts/seed/move-in.ts'
import { expect, photograph, test } from './camera.ts'

const word = 'Supercalifragilisticoespialidoso'
const text = (length: number) => `${`Una tarde larga con ${word}. `.repeat(100)}`.slice(0, length).trim()

/** Somebody with a long name, a long group, and a long post in it and one outside of it. */
async function longWinded(server: RunningServer, signedUp: (name: string) => Promise<Person>) {
  const vera = await signedUp('W'.repeat(60))
  await vera.request.patch(`/v1/people/${vera.$id}`, { data: { bio: text(2200) } })
  const group = await found(vera, {
    name: 'W'.repeat(groupNameLength.max),
    description: text(groupDescriptionLength),
  })
  const long = {
    caption: text(2200),
    location: text(200),
    tags: Array.from({ length: tagCount }, (_, number) => `${word}${number}`),
    picture: await photo('tulips'),
  }
  const post = await publish(vera, long)
  await publish(vera, { ...long, groupId: group.$id })
  const database = new Client({ connectionString: server.databaseUrl() })
  await database.connect()
  await database.query('update posts set like_count = 99999 where public_id = $1', [post.$id])
  await database.end()
  return { vera, group, post }
}

test('the longest texts', async ({ server, signedUp }) => {
  const { vera, group, post } = await longWinded(server, signedUp)
  const { page } = vera
  const seen: [screen: string, address: string, whole?: boolean][] = [
    ['home', '/'],
    ['explore', '/explore'],
    ['profile', `/profile/${vera.$id}`],
    ['post', `/posts/${post.$id}`, true],
    ['edit-post', `/update-post/${post.$id}`, true],
    ['edit-profile', `/update-profile/${vera.$id}`, true],
    ['group', `/groups/${group.$id}`],
    ['edit-group', `/update-group/${group.$id}`, true],
  ]
  for (const [screen, address, whole] of seen) {
    await page.goto(address, { waitUntil: 'networkidle' })
    await photograph(page, screen, 'long', { whole })
  }
  const ana = await signedUp(`Ana ${'W'.repeat(56)}`)
  await ask(ana, group)
  await page.goto(`/groups/${group.$id}/requests`)
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  await photograph(page, 'requests', 'long')
  await follow(ana, vera)
  for (const [screen, address] of [
    ['people', '/all-users'],
    ['groups', '/groups'],
    ['feed', '/'],
  ] as const) {
    await ana.page.goto(address, { waitUntil: 'networkidle' })
    await photograph(ana.page, screen, 'long')
  }
})
