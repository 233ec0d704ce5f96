import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

test('CMT-02 the comment box is at least 280 px wide beside any photo, in windows from 320 to 1920 px', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page } = ana
  const shapes = [await createJpeg('#aa5511', 1600, 900), await createJpeg('#5511aa', 900, 1600)]
  for (const picture of shapes) {
    const post = await publishPostViaApi(ana, { picture })
    await page.goto(`/posts/${post.$id}`)
    const box = page.getByRole('textbox', { name: /^(Comment|Comentario)$/ })
    await expect(box).toBeVisible()
    for (let width = 320; width <= 1920; width += 80) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(async () => (await box.boundingBox())?.width, { message: `${width}` })
        .toBeGreaterThanOrEqual(280)
    }
  }
})
