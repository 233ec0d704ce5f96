import type { Page } from '@playwright/test'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const conversationWith = async (who: JourneyMember, whom: JourneyMember, content: string) => {
  const conversation = await (
    await who.request.post('/v1/conversations', { data: { personId: whom.$id } })
  ).json()
  const sent = await who.request.post(`/v1/conversations/${conversation.$id}/messages`, { data: { content } })
  expect(sent.ok()).toBe(true)
  return conversation.$id as string
}

const askToDelete = async (who: JourneyMember) => {
  const { username, password } = who
  const asked = await who.request.post('/v1/me/deletion', { data: { username, password } })
  expect(asked.status()).toBe(200)
}

async function signIn(page: Page, { email, password }: Pick<JourneyMember, 'email' | 'password'>) {
  await page.goto('/sign-in')
  await fillSignIn(page, { email, password })
  await clickSignInButton(page)
}

async function openDeletion({ page }: JourneyMemberWithPage) {
  await page.goto('/settings/data')
  await page.getByRole('main').getByRole('link', { name: 'Delete your account' }).click()
  await expect(title(page)).toHaveText('Delete your account')
  await expect(page.getByRole('region', { name: 'What happens' })).toBeVisible()
}

test('DEL-01 DEL-02 DEL-03 DEL-06 DEL-07 hana reads what deletion does, hands over her group, deletes her account and then decides to stay @quick', async ({
  signedUp,
  member,
  newBrowser,
}) => {
  const hana = await signedUp('hana')
  const [bea, cleo] = [await member('bea'), await member('cleo')]
  const { page } = hana
  const post = await publishPostViaApi(hana)
  await hana.request.put(`/v1/posts/${post.$id}/like`, { data: {} })
  const group = await createGroupViaApi(hana, {}, [bea, cleo])
  await conversationWith(hana, bea, 'Hola')
  await openDeletion(hana)
  const main = page.getByRole('main')
  await expect(main.getByText('1 photo, 1 post, 1 like, 0 saves, 0 comments')).toBeVisible()
  await expect(main.getByText('the 1 message you sent them')).toBeVisible()
  const day = new Date(Date.now() + 14 * 86_400_000)
  const english = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })
  const spanish = day.toLocaleDateString('es', { day: 'numeric', month: 'long' })
  await expect(main.getByText(`Until ${english}`)).toBeVisible()
  await expect(main.getByText(`goes to ${bea.name} now, its longest-standing member.`)).toBeVisible()
  await main.getByRole('button', { name: 'Choose another' }).click()
  await main.getByRole('combobox', { name: /^Who takes over/ }).selectOption({ label: cleo.name })

  const erase = main.getByRole('button', { name: 'Delete my account' })
  await main.getByLabel(/^Type your username/).fill(hana.username)
  await main.getByLabel('Password', { exact: true }).fill(hana.password)
  await erase.click()
  await expect(title(page)).toHaveText(`Se borra el ${spanish}`)
  await expect(page).toHaveURL(/\/receipt\//)
  expect((await (await cleo.request.get(`/v1/groups/${group.$id}`)).json()).adminId).toBe(cleo.$id)
  expect((await bea.request.get(`/v1/people/${hana.$id}`)).status()).toBe(404)

  const other = await (await newBrowser()).newPage()
  await signIn(other, hana)
  await expect(title(other)).toHaveText(`Tu cuenta se borra el ${spanish}`)
  await expect(other).toHaveURL('/sign-in/closing')
  // During the grace period, every member page redirects here.
  await other.goto('/chat')
  await expect(title(other)).toHaveText(`Tu cuenta se borra el ${spanish}`)
  await other.getByRole('button', { name: 'Salir sin cambiar nada' }).click()
  await expect(other).toHaveURL('/sign-in')
  await signIn(other, hana)
  await other.getByRole('button', { name: 'Quiero quedarme' }).click()
  await expect(other.getByRole('heading', { name: 'Following' })).toBeVisible()
  expect((await bea.request.get(`/v1/people/${hana.$id}`)).status()).toBe(200)
})

test('DEL-08 DEL-10 DEL-12 hana erases her account immediately and keeps the receipt; bea keeps their conversation', async ({
  signedUp,
  newBrowser,
}) => {
  const [hana, bea] = [await signedUp('hana'), await signedUp('bea')]
  await publishPostViaApi(hana)
  const conversation = await conversationWith(hana, bea, 'Te escribo yo')
  await conversationWith(bea, hana, 'Y yo a ti')
  await askToDelete(hana)
  const page = await (await newBrowser()).newPage()
  await signIn(page, hana)
  await page.getByRole('button', { name: 'Bórrala ya' }).click()
  const form = page.getByRole('form', { name: 'Borrar ya' })
  await form.getByLabel('Contraseña', { exact: true }).fill(hana.password)
  await form.getByLabel(/^Escribe tu nombre de usuaria/).fill(hana.username)
  await form.getByRole('button', { name: 'Borrarla para siempre' }).click()
  await expect(title(page)).toHaveText('Recibo de borrado')
  const line = (what: string) => page.locator('dl > div').filter({ hasText: what })
  await expect(line('Publicaciones')).toContainText('1')
  await expect(line('Mensajes que otras conservan')).toContainText('1')
  await page.getByRole('button', { name: 'Comprobar la firma' }).click()
  await expect(page.getByText('La firma es válida.')).toBeVisible()
  await page.route('**/v1/receipts/check', async (route) => {
    const { signed } = route.request().postDataJSON()
    const [head, body, seal] = signed.split('.')
    const text = Buffer.from(body, 'base64url').toString().replace('"posts":1', '"posts":2')
    await route.continue({
      postData: JSON.stringify({ signed: [head, Buffer.from(text).toString('base64url'), seal].join('.') }),
    })
  })
  await page.getByRole('button', { name: 'Comprobar la firma' }).click()
  await expect(page.getByText('Este recibo no es nuestro.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Guardar el recibo' }).click()
  expect((await saved).suggestedFilename()).toBe('juntas-recibo.txt')

  await bea.page.goto(`/chat/${conversation}`)
  await expect(bea.page.getByText('Deleted member').filter({ visible: true }).first()).toBeVisible()
  await expect(bea.page.getByText('Te escribo yo')).toBeVisible()
  await expect(bea.page.getByRole('textbox', { name: /message/i })).toHaveCount(0)

  await page.goto('/receipt/nobody')
  await expect(title(page)).toHaveText('Aquí no hay ningún recibo')
  await signIn(page, hana)
  await expect(page.getByRole('alert')).toBeVisible()
})
