import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, type Person, test, toastRegion, unheard } from './fixtures.ts'
import { ask, found, removeFrom } from './grouping.ts'
import { files, publish } from './posting.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const posts = (page: Page) => main(page).getByRole('article')
const toast = (page: Page) => toastRegion(page).getByRole('listitem')
const closed = (page: Page) => main(page).getByRole('heading', { name: 'This is a private group' })

/** Ana's group with bea in it. */
async function knit(signedUp: (name: string) => Promise<Person>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await found(ana, { description: 'Los jueves, con paciencia.' }, [bea])
  return { ana, bea, group, path: `/groups/${group.$id}` }
}

test('GPAGE-01 a group that does not exist is not found, and there is a way back', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  for (const path of ['/groups/nowhere', '/groups/nowhere/requests', '/groups/no!id']) {
    await page.goto(path)
    await expect(title(page)).toHaveText('Group not found')
  }
  await main(page).getByRole('link', { name: 'Back to Groups' }).click()
  await expect(page).toHaveURL('/groups')
})

test('GPAGE-02 GPAGE-03 GPAGE-05 CARD-08 bea, a member, sees the group and its posts, and nothing of the admin’s', async ({
  signedUp,
}) => {
  const { ana, bea, group, path } = await knit(signedUp)
  await publish(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
  const { page } = bea
  await page.goto(path)
  await expect(title(page)).toHaveText(group.name)
  await expect(page).toHaveTitle(`${group.name} · Juntas`)
  await expect(main(page).getByText('Los jueves, con paciencia.')).toBeVisible()
  await expect(main(page).getByText('Private Group')).toBeVisible()
  await expect(main(page).getByText('2 members')).toBeVisible()
  await expect(posts(page)).toContainText('Solo entre nosotras')
  await expect(posts(page).getByRole('link', { name: `Posted in ${group.name}` })).toBeVisible()

  await expect(main(page).getByText("You're Admin")).toHaveCount(0)
  await expect(main(page).getByRole('link', { name: /Requests|Edit Group/ })).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: /Members/ })).toHaveCount(0)
  await page.goto(`/update-group/${group.$id}`)
  await expect(title(page)).toHaveText('Access Denied')
})

test('on a phone the posts of a group are as wide as the page, however long their words @phone', async ({
  signedUp,
}) => {
  const { ana, bea, group, path } = await knit(signedUp)
  const location = 'Parque Nacional de la Sierra de Guadarrama, Rascafría, Madrid'
  await publish(ana, { caption: 'm'.repeat(200), location, groupId: group.$id })
  const { page } = bea
  await page.goto(path)
  await expect(posts(page)).toContainText(location)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  const card = await posts(page).boundingBox()
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(390)
})

test('GPAGE-05 GPAGE-06 GPAGE-07 ana, the admin, sees how many wait and who is in', async ({ signedUp }) => {
  const { ana, bea, group, path } = await knit(signedUp)
  await ask(await signedUp('cleo'), group)
  const { page } = ana
  await page.goto(path)
  await expect(main(page).getByText("You're Admin")).toBeVisible()
  const requests = main(page).getByRole('link', { name: 'Requests 1 pending' })
  await expect(requests).toHaveAttribute('href', `${path}/requests`)

  const button = main(page).getByRole('button', { name: 'Members (2)' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Members' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: `@${bea.username}` })).toContainText('Member')
  await expect(rows.filter({ hasText: `@${ana.username}` })).toContainText('Admin')
  await expect(rows.filter({ hasText: `@${ana.username}` }).getByRole('button')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
})

test('GPAGE-09 PCRE-04 an empty group asks for its first post', async ({ signedUp }) => {
  const { bea, group, path } = await knit(signedUp)
  const { page } = bea
  await page.goto(path)
  await expect(main(page).getByRole('heading', { name: 'No posts yet' })).toBeVisible()
  await main(page).getByRole('link', { name: 'Create First Post' }).click()
  await expect(page).toHaveURL('/create-post')
  await expect(page.getByRole('combobox', { name: 'Group' })).toHaveValue(group.$id)
})

test('GPAGE-08 PCRE-04 Create Post opens the form with the group chosen', async ({ signedUp }) => {
  const { bea, group, path } = await knit(signedUp)
  await bea.page.goto(path)
  await main(bea.page).getByRole('link', { name: 'Create Post' }).click()
  await expect(bea.page).toHaveURL('/create-post')
  await expect(bea.page.getByRole('combobox', { name: 'Group' })).toHaveValue(group.$id)
})

test('GPAGE-10 GPAGE-11 GPAGE-12 GPAGE-13 GPAGE-14 PERM-05 cleo, who is not in it, sees the summary and no post', async ({
  signedUp,
}) => {
  const { ana, group, path } = await knit(signedUp)
  const post = await publish(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
  const cleo = await signedUp('cleo')
  const { page } = cleo
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(path)
  await expect(title(page)).toHaveText(group.name)
  await expect(main(page).getByText('2 members')).toBeVisible()
  await expect(closed(page)).toBeVisible()
  await expect(
    main(page).getByText("You need to be a member to see the group's posts and content."),
  ).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Join Group' })).toBeVisible()
  await expect(posts(page)).toHaveCount(0)
  expect(asked.filter((path) => /\/(posts|members|files)\b/.test(path))).toEqual([])
  await main(page).getByRole('link', { name: 'Back to Groups' }).click()
  await expect(page).toHaveURL('/groups')

  const refused = await cleo.request.get(`/v1${path}/posts`)
  expect(refused.status()).toBe(403)
  expect((await refused.json()).message).toBe('No tienes acceso a los posts de este grupo')
  expect((await cleo.request.get(`/v1/posts/${post.$id}`)).status()).toBe(403)
  for (const way of ['view', 'preview', 'download']) {
    expect((await cleo.request.get(`${files}/${post.imageId}/${way}`)).status()).toBe(404)
  }
})

test('what cannot be loaded is loaded on demand, the group and its posts each', async ({ signedUp }) => {
  const { ana, group, path } = await knit(signedUp)
  await publish(ana, { groupId: group.$id })
  const { page } = ana
  await unheard(page)
  const failing = { status: 400, json: { message: '', code: 400 } }
  await page.route(`**/v1${path}`, (route) => route.fulfill(failing))
  await page.route(`**/v1${path}/posts`, (route) => route.fulfill(failing))
  await page.goto(path)
  await expect(main(page).getByRole('alert')).toHaveText('We couldn’t load this.')
  await page.unroute(`**/v1${path}`)
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(title(page)).toHaveText(group.name)
  await expect(main(page).getByRole('alert')).toHaveText('We couldn’t load this.')
  await page.unroute(`**/v1${path}/posts`)
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(posts(page)).toHaveCount(1)
})

test.describe('beyond the spec', () => {
  test('bea leaves after a question, and reads no more', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    await publish(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
    const { page } = bea
    await page.goto(path)
    await expect(posts(page)).toHaveCount(1)
    await main(page).getByRole('button', { name: 'Leave Group' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave this group?' })
    await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
    await question.getByRole('button', { name: 'Stay' }).click()
    await main(page).getByRole('button', { name: 'Leave Group' }).click()
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(toast(page)).toContainText('You left the group')
    await expect(closed(page)).toBeVisible()
    await expect(posts(page)).toHaveCount(0)
    await expect(main(page).getByText('1 member', { exact: true })).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'Join Group' })).toBeVisible()
  })

  test('PERM-04 ana removes one member and hands the group to another', async ({ signedUp }) => {
    const [ana, bea, cleo] = [await signedUp('ana'), await signedUp('bea'), await signedUp('cleo')]
    const group = await found(ana, {}, [bea, cleo])
    const { page } = ana
    await page.goto(`/groups/${group.$id}`)
    await main(page).getByRole('button', { name: 'Members (3)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members' })
    const row = (person: Person) => dialog.getByRole('listitem').filter({ hasText: `@${person.username}` })

    await row(bea).getByRole('button', { name: 'Remove bea' }).click()
    const removal = page.getByRole('alertdialog', { name: 'Remove bea?' })
    await removal.getByRole('button', { name: 'Keep member' }).click()
    await expect(row(bea)).toBeVisible()
    await row(bea).getByRole('button', { name: 'Remove bea' }).click()
    await removal.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(row(bea)).toHaveCount(0)
    await expect(toast(page)).toContainText('bea is no longer in the group.')

    await row(cleo).getByRole('button', { name: 'Make cleo the admin' }).click()
    const transfer = page.getByRole('alertdialog', { name: 'Make cleo the admin?' })
    await transfer.getByRole('button', { name: 'Make admin' }).click()
    await expect(main(page).getByText("You're Admin")).toHaveCount(0)
    await expect(main(page).getByRole('button', { name: 'Leave Group' })).toBeVisible()
    await cleo.page.goto(`/groups/${group.$id}`)
    await expect(main(cleo.page).getByText("You're Admin")).toBeVisible()
  })

  test('ana changes name and description', async ({ signedUp }) => {
    const { ana, bea, path } = await knit(signedUp)
    const { page } = ana
    await page.goto(path)
    await main(page).getByRole('link', { name: 'Edit Group' }).click()
    await expect(page.getByLabel('Description')).toHaveValue('Los jueves, con paciencia.')
    await page.getByLabel('Name').fill('')
    await main(page).getByRole('button', { name: 'Update Group' }).click()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Group name is required')
    await page.getByLabel('Name').fill('Tejer los viernes')
    await page.getByLabel('Description').fill('Ahora los viernes.')
    await main(page).getByRole('button', { name: 'Update Group' }).click()
    await expect(page).toHaveURL(path)
    await expect(title(page)).toHaveText('Tejer los viernes')
    await bea.page.goto(path)
    await expect(title(bea.page)).toHaveText('Tejer los viernes')
    await expect(main(bea.page).getByText('Ahora los viernes.')).toBeVisible()
  })

  test('ana deletes the group only after typing its name', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    const { page } = ana
    await page.goto(`/update-group/${group.$id}`)
    await main(page).getByRole('button', { name: 'Delete Group' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this group?' })
    await question.getByRole('textbox').fill('Otro nombre')
    await question.getByRole('button', { name: 'Delete group' }).click()
    await expect(question.getByText('This is not the group’s name')).toBeVisible()
    await question.getByRole('textbox').fill(group.name)
    await question.getByRole('button', { name: 'Delete group' }).click()
    await expect(page).toHaveURL('/groups')
    await expect(toast(page)).toContainText('Group deleted')
    await expect(main(page).getByRole('article', { name: group.name })).toHaveCount(0)
    await bea.page.goto(path)
    await expect(title(bea.page)).toHaveText('Group not found')
  })

  test('PERM-05 bea, removed while she reads, is told calmly and sees nothing more', async ({ signedUp }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    await publish(ana, { caption: 'Solo entre nosotras', groupId: group.$id })
    const { page } = bea
    await page.goto(path)
    await expect(posts(page)).toHaveCount(1)
    await removeFrom(group, ana, bea)
    await expect(closed(page)).toBeVisible()
    await expect(main(page).getByText(/You’re no longer a member of this group/)).toBeVisible()
    await expect(posts(page)).toHaveCount(0)
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the page of the admin, of a member and of a stranger, ${colorScheme} @both`, async ({
    signedUp,
  }) => {
    const { ana, bea, group, path } = await knit(signedUp)
    const cleo = await signedUp('cleo')
    await publish(bea, { groupId: group.$id })
    const violations = async (page: Page) => (await new AxeBuilder({ page }).analyze()).violations
    for (const { page } of [ana, bea, cleo]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await expect(title(page)).toHaveText(group.name)
      await expect(posts(page).or(closed(page))).toBeVisible()
      expect(await violations(page)).toEqual([])
    }
    await main(ana.page).getByRole('button', { name: 'Members (2)' }).click()
    await expect(ana.page.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
    expect(await violations(ana.page)).toEqual([])
    await ana.page.goto(`/update-group/${group.$id}`)
    await expect(title(ana.page)).toHaveText('Edit Group')
    expect(await violations(ana.page)).toEqual([])
    await main(ana.page).getByRole('button', { name: 'Delete Group' }).click()
    expect(await violations(ana.page)).toEqual([])
  })
}
