import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  locateMessageBubble,
  locateMessageInput,
  locateMessageList,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { choosePhotos, createMarkedJpeg, cropDialog, cropFrame, zoomOf } from './crop-steps.ts'
import { expect, type JourneyMember, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { tabTo } from './keyboard-steps.ts'
import { fetchHomeFeedPosts, openCreatePostForm, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')

async function publishTwoPhotos(person: JourneyMember) {
  const pictures = [
    { bytes: await createJpeg(), alt: 'Una taza azul en la mesa' },
    { bytes: await createJpeg() },
  ]
  return publishPostViaApi(person, { pictures, caption: 'Café de la tarde', tags: ['cafe'] })
}

test('PHOTO-13 ALT-02 CMT-20 VIEW-01 REPLY-02 UNSEND-01 a screen reader reads a post with photos, comments and viewer, and a conversation with replies and reactions', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana Soto'), await member('Bea Luna')]
  const post = await publishTwoPhotos(bea)
  const path = `/v1/posts/${post.$id}/comments`
  const { $id: parentId } = await (await bea.request.post(path, { data: { content: 'Qué rico' } })).json()
  await ana.request.post(path, { data: { content: 'Yo quiero', parentId } })
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page)).toMatchAriaSnapshot(`
    - article:
      - heading "Post by Bea Luna" [level=1]
      - region "2 photos":
        - list:
          - listitem "Photo 1 of 2":
            - link "Una taza azul en la mesa":
              - img "Una taza azul en la mesa"
          - listitem "Photo 2 of 2":
            - link "Photo 2 of 2 by Bea Luna"
        - button "Previous photo" [disabled]
        - button "Next photo"
      - paragraph: Café de la tarde
      - region "2 comments":
        - heading "2 comments" [level=2]
        - list:
          - listitem:
            - article "Bea Luna, just now":
              - paragraph:
                - link "Bea Luna"
                - text: Author Qué rico
              - button "Reply"
              - button "Like, 0 likes"
            - list:
              - listitem:
                - article "Ana Soto, just now":
                  - paragraph:
                    - link "Ana Soto"
                    - text: Yo quiero
                  - button "Edit"
                  - button "Delete"
      - button "Like, 0 likes"
      - link "2 comments"
      - button "Share"
      - button "Save"
      - textbox "Comment"
      - button "Post" [disabled]
  `)
  await tabTo(page, main(page).getByRole('link', { name: 'Una taza azul en la mesa' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Photo 1 of 2":
      - button "Zoom in"
      - button "Close"
      - region "Photos":
        - group "1 of 2":
          - img "Una taza azul en la mesa"
      - button "Next photo"
      - paragraph: Una taza azul en la mesa
      - list:
        - listitem:
          - button "Show photo 1"
        - listitem:
          - button "Show photo 2"
  `)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Photo 2 of 2' })).toBeVisible()

  const conversation = await openConversationViaApi(ana, bea)
  const question = await sendMessageViaApi(bea, conversation, '¿Vienes?')
  await ana.request.post(`/v1/conversations/${conversation}/messages`, {
    data: { content: 'Ya voy', replyTo: question },
  })
  await ana.request.put(`/v1/messages/${question}/reaction`, { data: { emoji: '❤️' } })
  await bea.request.delete(`/v1/messages/${await sendMessageViaApi(bea, conversation, 'me equivoqué')}`)
  await openConversationPage(ana, conversation)
  await expect(locateMessageList(page)).toMatchAriaSnapshot(`
    - list "Messages with Bea Luna":
      - listitem:
        - paragraph: Today
        - text: "Bea Luna: ¿Vienes?"
        - time: /\\d\\d:\\d\\d/
        - button "Message options"
        - button "Love, 1, yours"
      - listitem:
        - text: "You:"
        - 'button "Reply to Bea Luna: ¿Vienes?"'
        - text: Ya voy
        - time: /\\d\\d:\\d\\d/
        - img "Read"
      - listitem:
        - text: "Bea Luna: Message unsent"
  `)
})

test('CROP-01 CMT-01 CMT-04 REPLY-01 using only the keyboard, ana crops and publishes a photo, comments, and replies to a comment and a message', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana Soto'), await member('Bea Luna')]
  const page = await openCreatePostForm(ana)
  await choosePhotos(page, await createMarkedJpeg())
  await tabTo(page, main(page).getByRole('button', { name: /^Photo 1, / }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Crop photo 1', exact: true }))
  await page.keyboard.press('Enter')
  await expect(cropFrame(page)).toBeFocused()
  await tabTo(page, cropDialog(page).getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowRight')
  await tabTo(page, cropFrame(page), 'Shift+Tab')
  await page.keyboard.press('+')
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(1)
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, cropDialog(page).getByRole('button', { name: 'Done', exact: true }))
  await page.keyboard.press('Enter')
  await expect(cropDialog(page)).toHaveCount(0)
  await tabTo(page, page.getByLabel('Caption'))
  await page.keyboard.type('Con el teclado')
  await tabTo(page, page.getByLabel('Location'))
  await page.keyboard.type('Tonalá')
  await tabTo(page, main(page).getByRole('button', { name: 'Create Post' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [own] = await fetchHomeFeedPosts(ana)
  expect(own).toMatchObject({ caption: 'Con el teclado', photos: [{ width: expect.any(Number) }] })

  const post = await publishTwoPhotos(bea)
  await bea.request.post(`/v1/posts/${post.$id}/comments`, { data: { content: 'Qué rico' } })
  await page.goto(`/posts/${post.$id}`)
  await tabTo(page, page.getByRole('textbox', { name: 'Comment', exact: true }))
  await page.keyboard.type('Me encanta')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(main(page).getByRole('article').last()).toContainText('Me encanta')
  const first = main(page).getByRole('article', { name: /^Bea Luna, / })
  await tabTo(page, first.getByRole('button', { name: 'Reply' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('¿Me das?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(main(page).getByRole('region', { name: '3 comments' })).toContainText('¿Me das?')

  const conversation = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(bea, conversation, '¿La azul?')
  await openConversationPage(ana, conversation)
  const options = locateMessageBubble(page, '¿La azul?').getByRole('button', { name: 'Message options' })
  await tabTo(page, options, 'Shift+Tab')
  await page.keyboard.press('r')
  await expect(locateMessageInput(page)).toBeFocused()
  await page.keyboard.type('Esa misma')
  await page.keyboard.press('Enter')
  await expect(locateMessageBubble(page, 'Esa misma')).toContainText('Bea Luna¿La azul?')
})
