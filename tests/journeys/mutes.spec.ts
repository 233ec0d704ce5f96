import type { Page } from '@playwright/test'
import { expect, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const more = (page: Page, name: string) => page.getByRole('button', { name: `More about ${name}` })
const item = (page: Page, name: RegExp) => page.getByRole('menuitem', { name })

test("MUTE-01 MUTE-02 ana mutes iria from a post: iria's posts leave Home and Explore but stay on her profile, and Unmute restores them @quick", async ({
  signedUp,
  member,
}) => {
  const [ana, iria, bea] = [await signedUp('Ana'), await member('Iria Montes'), await member('Bea')]
  const group = await createGroupViaApi(bea, {}, [ana, iria])
  await followMemberViaApi(ana, iria)
  await publishPostViaApi(bea)
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(iria)
  await publishPostViaApi(iria, { groupId: group.$id })
  const { page } = ana
  const ofIria = main(page).getByRole('article', { name: 'Post by Iria Montes' })
  const tile = main(page).locator(`a[href="/posts/${post.$id}"]`)
  await page.goto('/explore')
  await expect(tile).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expect(ofIria).toHaveCount(2)

  await more(page, 'Iria Montes').first().click()
  await expect(item(page, /^Mute/)).toContainText('Her posts leave your Home and Explore.')
  await item(page, /^Mute/).click()
  await expect(toastRegion(page)).toContainText('Muted')
  await expect(toastRegion(page)).toContainText('You won’t see Iria Montes in Home and Explore.')
  await expect(ofIria).toHaveCount(0)
  await expect(main(page).getByRole('article', { name: 'Post by Bea' })).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
  await expect(title(page)).toHaveText('Explore')
  await expect(tile).toHaveCount(0)
  await page.goto(`/groups/${group.$id}`)
  await expect(ofIria).toHaveCount(1)

  await page.goto(`/profile/${iria.$id}`)
  await expect(tile).toHaveCount(1)
  await more(page, 'Iria Montes').focus()
  await page.keyboard.press('Enter')
  await expect(item(page, /^Unmute/)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toastRegion(page)).toContainText('Unmuted')
  await expect(more(page, 'Iria Montes')).toBeFocused()
  await page.goto('/')
  await expect(ofIria).toHaveCount(2)
})
