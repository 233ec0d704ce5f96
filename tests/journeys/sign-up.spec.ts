import { clickCreateAccountButton, fillSignUp } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test, toastRegion } from './fixtures.ts'
import { collectRequestBodies } from './request-steps.ts'

test('SUP-13 SUP-15 SUP-16 SUP-09 LANG-02 eva signs up with one request, her avatar shows her initials, and Back does not return to the form @quick', async ({
  page,
}) => {
  const sent = collectRequestBodies(page, '/v1/members')
  const eva = signUpFormFixture('María José')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
  await fillSignUp(page, eva)
  await clickCreateAccountButton(page)
  await expect(page).toHaveURL('/')
  await expect(
    page.getByRole('complementary', { name: 'Sidebar' }).getByText(`@${eva.username}`),
  ).toBeVisible()
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ ...eva, welcome: true }])
  const me = await (await page.request.get('/v1/me')).json()
  expect(new URL(me.imageUrl).pathname).toBe('/v1/people/avatars/initials')
  await page.goBack()
  await expect(page).toHaveURL('/')

  // With a chosen language, only the field reports a taken username.
  await page.context().clearCookies()
  await page.goto('/sign-in')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await reloaded
  await page.goto('/sign-up')
  for (const [label, value] of [
    ['Name', eva.name],
    ['Username', eva.username],
    ['Email', signUpFormFixture('eva').email],
    ['Password', eva.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByLabel('Username', { exact: true })).toHaveAccessibleDescription(
    'Someone else has this username. Choose another.',
  )
  await expect(toastRegion(page).getByRole('listitem')).toHaveCount(0)
})
