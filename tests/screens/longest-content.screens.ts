/** The longest content and five-digit like counts must not overflow. */
import { Client } from 'pg'
import { groupNameLengthLimits, maxGroupDescriptionLength, maxTagCount } from '#contract/limits.ts'
import type { RunningServer } from '#scripts/harness/server-process.ts'
import { readDemoPictureJpeg } from '#scripts/seed/create-demo-data.ts'
import type { JourneyMemberWithPage } from '#tests/journeys/fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from '#tests/journeys/group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from '#tests/journeys/post-steps.ts'
import { expect, takeResponsiveScreenshots, test } from './screenshot-fixtures.ts'

const word = 'Supercalifragilisticoespialidoso'
const text = (length: number) => `${`Una tarde larga con ${word}. `.repeat(100)}`.slice(0, length).trim()

async function longWinded(server: RunningServer, signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const vera = await signedUp('W'.repeat(60))
  await vera.request.patch(`/v1/people/${vera.$id}`, { data: { bio: text(2200) } })
  const group = await createGroupViaApi(vera, {
    name: 'W'.repeat(groupNameLengthLimits.max),
    description: text(maxGroupDescriptionLength),
  })
  const long = {
    caption: text(2200),
    location: text(200),
    tags: Array.from({ length: maxTagCount }, (_, number) => `${word}${number}`),
    picture: await readDemoPictureJpeg('tulips'),
  }
  const post = await publishPostViaApi(vera, long)
  await publishPostViaApi(vera, { ...long, groupId: group.$id })
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
    await takeResponsiveScreenshots(page, screen, 'long', { whole })
  }
  const ana = await signedUp(`Ana ${'W'.repeat(56)}`)
  await submitJoinRequest(ana, group)
  await page.goto(`/groups/${group.$id}/requests`)
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  await takeResponsiveScreenshots(page, 'requests', 'long')
  await followMemberViaApi(ana, vera)
  for (const [screen, address] of [
    ['people', '/all-users'],
    ['groups', '/groups'],
    ['feed', '/'],
  ] as const) {
    await ana.page.goto(address, { waitUntil: 'networkidle' })
    await takeResponsiveScreenshots(ana.page, screen, 'long')
  }
})
