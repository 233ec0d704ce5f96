/** Looking at what was reported, as a moderator, and that nobody else has such a page. */
import { Client } from 'pg'
import { expect, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

test('MOD-05 MOD-02 mo gives her password, looks at a case, claims and dismisses it; ana finds no such page', async ({
  signedUp,
  member,
  server,
}) => {
  const [mo, ana, iria] = [await signedUp('Mo'), await signedUp('Ana'), await member('Iria')]
  const db = new Client({ connectionString: server.databaseUrl() })
  await db.connect()
  await db.query(
    `insert into moderators (member_id, added_by) select id, 'operator' from users where public_id = $1`,
    [mo.$id],
  )
  await db.end()
  const post = await publishPostViaApi(iria)
  const sent = await ana.request.post('/v1/reports', {
    data: { subject: { kind: 'post', id: post.$id }, reason: 'threat', note: 'Mira esto' },
  })
  expect(sent.status()).toBe(201)

  await ana.page.goto('/settings/moderation')
  await expect(ana.page.getByRole('main')).toContainText('404 Not Found')

  const { page } = mo
  const main = page.getByRole('main')
  await page.goto('/settings/moderation')
  await main.getByLabel('Password', { exact: true }).fill('no es esta clave')
  await main.getByRole('button', { name: 'Enter' }).click()
  await expect(main.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await main.getByLabel('Password', { exact: true }).fill(mo.password)
  await main.getByRole('button', { name: 'Enter' }).click()
  await expect(main).toContainText(
    'You see what was reported and chosen, nothing else: no other messages, no e-mail, no blocks, not who reported.',
  )
  await main
    .getByRole('listitem')
    .filter({ hasText: 'Post · severity 3' })
    .first()
    .getByRole('button')
    .click()
  const reporter = main.getByRole('region', { name: 'Reporter 1' })
  await expect(reporter).toContainText('It threatens')
  await expect(reporter).toContainText('Mira esto')
  await expect(reporter.getByRole('img')).toBeVisible()
  await main.getByRole('button', { name: 'Claim' }).click()
  await expect(main.getByRole('button', { name: 'Dismiss' })).toBeDisabled()
  await main.getByRole('textbox', { name: 'Reason' }).fill('No es nada')
  await main.getByRole('button', { name: 'Dismiss' }).click()
  await expect(main).toContainText('Decided: dismiss')
  await main.getByRole('button', { name: 'All cases' }).click()
  await main.getByRole('tab', { name: 'Decided' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'dismiss' }).first()).toBeVisible()
})
