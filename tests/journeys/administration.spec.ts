import { Client } from 'pg'
import { expect, test } from './fixtures.ts'

async function makeOperator(databaseUrl: string, id: string): Promise<void> {
  const db = new Client({ connectionString: databaseUrl })
  await db.connect()
  await db.query(
    `update accounts a set labels = array['operator'] from users u where u.account_id = a.id and u.public_id = $1`,
    [id],
  )
  await db.end()
}

test('ADM-01 ADM-03 ADM-05 ADM-06 olga suspends ana, ana has to sign in again, and the operator log shows the suspension @quick', async ({
  signedUp,
  server,
}) => {
  const [olga, ana] = [await signedUp('Olga'), await signedUp('Ana Pazos')]
  await makeOperator(server.databaseUrl(), olga.$id)
  await ana.page.goto('/')
  await expect(ana.page.getByRole('navigation', { name: 'Main' })).toBeVisible()

  const main = olga.page.getByRole('main')
  await olga.page.goto('/')
  await olga.page.getByRole('link', { name: 'Administration' }).click()
  await olga.page.getByRole('navigation', { name: 'Administration' }).getByText('Members').click()
  await main.getByRole('searchbox').fill(ana.email)
  await main.getByRole('link', { name: 'Ana Pazos' }).click()
  await main.getByRole('button', { name: 'Suspend', exact: true }).click()
  await main.getByLabel('Reason, as she will read it').fill('Amenazas')
  await main.getByRole('button', { name: 'Suspend', exact: true }).last().click()
  await expect(main.getByText('Suspended', { exact: true })).toBeVisible()
  await ana.page.goto('/saved')
  await expect(ana.page).toHaveURL(/\/sign-in/)

  await olga.page.getByRole('navigation', { name: 'Administration' }).getByText('Operator log').click()
  const newest = main.getByRole('list', { name: 'Operator log' }).getByRole('listitem').first()
  await expect(newest).toContainText('Suspended a member')
  await expect(newest).toContainText('Amenazas')
})
