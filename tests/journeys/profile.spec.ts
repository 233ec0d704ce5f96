/** Profiles, and editing one’s own. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { countRedPixels, createMarkedJpeg, readUploadedFiles, recordUploadedFiles } from './crop-steps.ts'
import {
  clickButtonTwice,
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  toastRegion,
} from './fixtures.ts'
import { filesApiPath, publishPostViaApi, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const userCard = (page: Page, person: JourneyMember) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${person.username}` })

test.describe('a profile', () => {
  test('PRIV-12 of a private account a stranger reads name, username and how to see more, and neither counts nor posts', async ({
    member,
    signedUp,
  }) => {
    const [bea, ana] = [await member('bea'), await signedUp('ana')]
    expect((await bea.request.patch('/v1/me/privacy', { data: { isPrivate: true } })).status()).toBe(200)
    await ana.page.goto(`/profile/${bea.$id}`)
    await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText(bea.name)
    await expect(main(ana.page).getByText('Private', { exact: true })).toBeVisible()
    await expect(main(ana.page).getByRole('heading', { level: 2 })).toHaveText('This account is private')
    const [firstName] = bea.name.split(' ')
    await expect(main(ana.page)).toContainText(
      `Ask to follow ${firstName} to see her posts. She decides who does.`,
    )
    await expect(main(ana.page).locator('dt')).toHaveCount(0)
    await main(ana.page).getByRole('button', { name: 'Follow' }).click()
    await expect(main(ana.page).getByRole('button', { name: 'Requested' })).toBeVisible()
  })

  test('PROF-01 USR-05 her photo stands on her profile and her card; one that cannot be loaded gives way to her initials', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
    const upload = await bea.request.post(filesApiPath, {
      multipart: { file: toUploadFilePayload(await createPng()) },
    })
    const { $id: imageId } = await upload.json()
    const saved = await bea.request.patch(`/v1/people/${bea.$id}`, { data: { imageId } })
    expect(saved.ok()).toBe(true)
    const { page } = ana
    const places = [
      [`/profile/${bea.$id}`, main(page)],
      ['/all-users', userCard(page, bea)],
    ] as const

    for (const [path, place] of places) {
      await page.goto(path)
      const photo = place.locator(`img[src*="${imageId}"]`)
      await expect(photo).toBeVisible()
      expect(await photo.evaluate((image: HTMLImageElement) => image.decode().then(() => true))).toBe(true)
      await expect(place.locator('[data-generated=BO]')).toHaveCount(0)
    }
    await page.route(`**/${imageId}/content**`, (route) => route.fulfill({ status: 404, body: '' }))
    for (const [path, place] of places) {
      await page.goto(path)
      await expect(place.locator('[data-generated=BO]')).toBeVisible()
      await expect(place.locator('img')).toHaveCount(0)
    }
  })

  test('PROF-01 PROF-02 PROF-03 PROF-04 PROF-10 PROF-13 PROF-14 tells who bea is, and counts a new follower at once @quick', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
    const bio = 'Primera línea\nsegunda línea'
    await bea.request.patch(`/v1/people/${bea.$id}`, { data: { bio } })
    await publishPostViaApi(bea, { caption: 'La primera' })
    await publishPostViaApi(bea, { caption: 'La segunda' })

    await ana.page.goto(`/profile/${bea.$id}`)
    const page = main(ana.page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bea Ortiz')
    await expect(page.getByText(`@${bea.username}`)).toBeVisible()
    await expect(page.getByText(bio)).toBeVisible()
    await expect(page.getByRole('definition')).toHaveText(['2', '0', '0'])
    await expect(page.getByRole('term')).toHaveText(['Posts', 'Followers', 'Following'])
    const tiles = page.getByRole('link', { name: /^La (primera|segunda)/ })
    await expect(tiles).toHaveCount(2)
    await expect(tiles.first()).toHaveAccessibleName(/La segunda/)

    await page.getByRole('button', { name: 'Follow' }).click()
    await expect(page.getByRole('definition')).toHaveText(['2', '1', '0'])
    await expect(page.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Profile' })).toHaveCount(0)
  })

  test('PROF-05 PROF-06 PROF-07 PROF-09 PROF-12 her own has a way to edit it and two tabs, and nothing to follow', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    await ana.page.goto(`/profile/${ana.$id}`)
    const page = main(ana.page)
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute(
      'href',
      `/update-profile/${ana.$id}`,
    )
    await expect(page.getByRole('button', { name: /Follow|Chat/ })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Posts', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await page.getByRole('link', { name: 'Liked Posts' }).click()
    await expect(ana.page).toHaveURL(`/profile/${ana.$id}/liked-posts`)
    await expect(page.getByText('No liked posts')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Liked Posts' })).toHaveAttribute('aria-current', 'page')
  })

  test('LIKE-12 what she likes stands among her liked posts', async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const post = await publishPostViaApi(bea, { caption: 'Para gustar' })
    await ana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
    await ana.page.goto(`/profile/${ana.$id}/liked-posts`)
    await expect(main(ana.page).getByRole('link', { name: /Para gustar/ })).toHaveAttribute(
      'href',
      `/posts/${post.$id}`,
    )
  })

  test("PROF-08 bea's liked posts are nobody else's", async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    await ana.page.goto(`/profile/${bea.$id}/liked-posts`)
    await expect(ana.page).toHaveURL(`/profile/${bea.$id}`)
    await expect(main(ana.page).getByText('No liked posts')).toHaveCount(0)
  })

  test('PROF-15 an id that nobody has says so calmly', async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    await page.goto('/profile/nobody')
    await expect(main(page).getByRole('heading', { name: 'Profile not found', level: 2 })).toBeVisible()
  })
})

test('PROF-04 PROF-10 PROF-11 on a phone a long bio leaves what can be done with her in sight @phone @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const bio = `${'Hago cerámica y camino por el monte. '.repeat(12)}fin`
  expect((await bea.request.patch(`/v1/people/${bea.$id}`, { data: { bio } })).ok()).toBe(true)
  await ana.page.goto(`/profile/${bea.$id}`)
  const text = main(ana.page).getByText('Hago cerámica')
  const heights = () => text.evaluate((shown) => ({ seen: shown.clientHeight, whole: shown.scrollHeight }))
  const bottom = async () => {
    const box = await main(ana.page).getByRole('button', { name: 'Follow' }).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await main(ana.page).getByRole('button', { name: 'more', exact: true }).click()
  const open = await bottom()
  await main(ana.page).getByRole('button', { name: 'less', exact: true }).click()
  expect(await bottom()).toBeLessThan(open)
  const { seen, whole } = await heights()
  expect(seen).toBeLessThan(whole)
})

test.describe('her own profile, edited', () => {
  test('PUPD-01 PUPD-02 PUPD-04 PUPD-05 PUPD-11 SET-09 name, bio and photo change everywhere; username and email stay @quick', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/profile/${ana.$id}`)
    await main(page).getByRole('link', { name: 'Edit Profile' }).click()
    await expect(main(page).getByLabel('Username')).toBeDisabled()
    await expect(main(page).getByLabel('Username')).toHaveValue(ana.username)
    await expect(main(page).getByLabel('Email')).toBeDisabled()
    await expect(main(page).getByLabel('Email')).toHaveValue(ana.email)
    const chooser = page.waitForEvent('filechooser')
    await main(page).getByRole('button', { name: 'Change profile photo' }).click()
    await (await chooser).setFiles(toUploadFilePayload(await createPng()))
    const crop = page.getByRole('dialog', { name: 'Crop your profile photo' })
    await crop.getByRole('button', { name: 'Done' }).click()
    await expect(crop).toHaveCount(0)
    await main(page).getByLabel('Name', { exact: true }).fill('Ana Sol')
    await main(page).getByLabel('Bio').fill('Barro y mar')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()

    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Ana Sol')
    await expect(main(page).getByText('Barro y mar')).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Ana Sol')
    await expect(main(page).locator('img').first()).toHaveAttribute('src', /\/content\?width=/)
  })

  test('PUPD-11 a profile photo is cropped to a square, by keyboard, before anything of it leaves the device', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await recordUploadedFiles(page)
    await page.goto(`/update-profile/${ana.$id}`)
    const change = main(page).getByRole('button', { name: 'Change profile photo' })
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser')
      await change.click()
      await (await chooser).setFiles(toUploadFilePayload(await createMarkedJpeg(), 'foto.jpg', 'image/jpeg'))
    }
    const dialog = page.getByRole('dialog', { name: 'Crop your profile photo' })
    const frame = dialog.getByRole('application', { name: /^Frame\./ })

    await choose()
    await expect(frame).toBeFocused()
    await expect(dialog.getByRole('group', { name: 'Shape' })).toHaveCount(0)
    const box = await frame.boundingBox()
    expect(box?.width).toBeCloseTo(box?.height ?? 0, 0)
    await expect(frame).toHaveCSS('border-radius', '50%')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(change).toBeFocused()
    expect(await readUploadedFiles(page)).toHaveLength(0)

    // The mark stands in the corner that the square leaves out.
    await choose()
    await expect(frame).toBeFocused()
    for (let press = 0; press < 40; press += 1) await page.keyboard.press('ArrowLeft')
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect.poll(async () => (await readUploadedFiles(page)).length).toBe(1)
    const [sent = Buffer.alloc(0)] = await readUploadedFiles(page)
    const { width, height } = await sharp(sent).metadata()
    expect([width, height]).toEqual([900, 900])
    expect(await countRedPixels(sent)).toBe(0)

    await main(page).getByRole('button', { name: 'Crop', exact: true }).click()
    await expect(frame).toBeFocused()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    expect(await readUploadedFiles(page)).toHaveLength(1)
  })

  test('PUPD-03 PUPD-08 a name too short is refused at its field; Cancel goes back', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/profile/${ana.$id}`)
    await main(page).getByRole('link', { name: 'Edit Profile' }).click()
    await main(page).getByLabel('Name', { exact: true }).fill('A')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(main(page).getByText('Name must be at least 2 characters.')).toBeVisible()
    await main(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
  })

  test('PUPD-06 when it fails a toast says so and the form keeps everything', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/update-profile/${ana.$id}`)
    await main(page).getByLabel('Bio').fill('Se queda aquí')
    await page.route('**/v1/people/*', fulfillWithServerError)
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(toastRegion(page)).toContainText('Update user failed. Please try again.')
    await expect(page).toHaveURL(`/update-profile/${ana.$id}`)
    await expect(main(page).getByLabel('Bio')).toHaveValue('Se queda aquí')
  })

  test('PUPD-06 a name like the team’s is refused at its field, in the language of the page, and beside it the toast is calm', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/update-profile/${ana.$id}`)
    await main(page).getByLabel('Name', { exact: true }).fill('AdminAna')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(main(page).getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      'This name looks like the Juntas team’s. Choose another.',
    )
    await expect(main(page).getByLabel('Name', { exact: true })).toBeFocused()
    await expect(toastRegion(page)).toContainText('Update user failed. Please try again.')
    await expect(toastRegion(page).locator('svg.lucide-circle-alert')).toHaveCount(0)
  })

  test('PUPD-05 two presses before the page has heard of either save once', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    await page.goto(`/update-profile/${ana.$id}`)
    await main(page).getByLabel('Bio').fill('Barro y mar')
    const saved: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saved.push(new URL(request.url()).pathname)
    })
    await clickButtonTwice(main(page).getByRole('button', { name: 'Update Profile' }))
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    expect(saved).toEqual([`/v1/people/${ana.$id}`])
  })

  test("PUPD-12 bea's form is not ana's to open", async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    await ana.page.goto(`/update-profile/${bea.$id}`)
    await expect(ana.page).toHaveURL(`/profile/${bea.$id}`)
  })
})
