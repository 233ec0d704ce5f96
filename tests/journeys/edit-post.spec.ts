import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'
import { createGroupViaApi, removeMemberFromGroup } from './group-steps.ts'
import { fetchHomeFeedPosts, openCreatePostForm, publishPostViaApi, uploadPhotoInForm } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const submit = (page: Page) => main(page).getByRole('button', { name: 'Update Post' })
const picker = (page: Page) => page.getByLabel('Group')
const content = { caption: 'Una tarde', location: 'Tonalá', tags: ['sol', 'mar'] }

async function edit({ page }: JourneyMemberWithPage, { $id }: Post): Promise<Page> {
  await page.goto(`/update-post/${$id}`)
  await expect(submit(page)).toBeVisible()
  return page
}

const stored = async (person: JourneyMember, { $id }: Post): Promise<Post> =>
  (await person.request.get(`/v1/posts/${$id}`)).json()

test('PEDT-12 PDET-12 Cancel goes back one step, and after an edit Back never shows the same post twice @quick', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, content)
  const { page } = ana
  await page.goto('/')
  await main(page).getByRole('link', { name: post.caption }).click()
  await main(page).getByRole('link', { name: 'Edit post' }).click()
  await main(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await main(page).getByRole('link', { name: 'Edit post' }).click()
  await page.getByLabel('Caption').fill('Una noche')
  await submit(page).click()
  await expect(main(page).getByRole('article')).toContainText('Una noche')
  await main(page).getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click()
  await expect(page).toHaveURL('/')
})

test.describe('the group picker', () => {
  test('PEDT-01 ana confirms before moving a post out of its group; moving the post out and back in changes who sees it', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const group = await createGroupViaApi(ana)
    const post = await publishPostViaApi(ana, { ...content, groupId: group.$id })
    const page = await edit(ana, post)
    await expect(picker(page)).toHaveValue(group.$id)
    await picker(page).selectOption('')
    await submit(page).click()
    const question = page.getByRole('alertdialog', { name: 'Make this post public?' })
    await expect(question).toContainText('This post will become visible to everyone.')
    await question.getByRole('button', { name: 'Keep in the group' }).click()
    await expect(page).toHaveURL(`/update-post/${post.$id}`)
    expect((await stored(ana, post)).groupId).toBe(group.$id)
    expect((await bea.request.get(`/v1/posts/${post.$id}`)).status()).toBe(403)

    await submit(page).click()
    await question.getByRole('button', { name: 'Make public' }).click()
    await expect(page).toHaveURL(`/posts/${post.$id}`)
    await expect(main(page).getByText('Posted in')).toHaveCount(0)
    expect((await bea.request.get(`/v1/posts/${post.$id}`)).status()).toBe(200)

    await edit(ana, post)
    await picker(page).selectOption(group.$id)
    await submit(page).click()
    await expect(main(page).getByRole('link', { name: `Posted in ${group.name}` })).toBeVisible()
    expect((await bea.request.get(`/v1/posts/${post.$id}`)).status()).toBe(403)
  })

  test('PCRE-04 PCRE-21 bea, removed from the group she is posting to, must choose where to post before anything is sent', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await member('ana'), await signedUp('bea')]
    const [group, other] = [
      await createGroupViaApi(ana, {}, [bea]),
      await createGroupViaApi(ana, { name: `Barro ${ana.username}` }, [bea]),
    ]
    const page = await openCreatePostForm(bea)
    await picker(page).selectOption(group.$id)
    await uploadPhotoInForm(page)
    await page.getByLabel('Location').fill('Tonalá')
    await removeMemberFromGroup(group, ana, bea)

    const notice = main(page).getByText('You’re no longer in this group. Choose where to post.')
    await expect(notice).toBeVisible()
    await expect(picker(page)).toHaveValue(group.$id)
    await expect(picker(page).locator('option:checked')).toHaveText(group.name)
    const publishing = main(page).getByRole('button', { name: 'Create Post' })
    await publishing.click()
    await expect(picker(page)).toBeFocused()
    await page.getByLabel('Caption').fill('Para el barro')
    await publishing.click()
    await expect(picker(page)).toBeFocused()
    await expect(page).toHaveURL('/create-post')

    await picker(page).selectOption(other.$id)
    await expect(notice).toHaveCount(0)
    await expect(picker(page).getByRole('option')).toHaveText(['Public Post', other.name])
    await publishing.click()
    await expect(page).toHaveURL('/')
    expect((await fetchHomeFeedPosts(bea)).map(({ caption, groupId }) => [caption, groupId])).toEqual([
      ['Para el barro', other.$id],
    ])
  })
})
