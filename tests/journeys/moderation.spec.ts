import type { APIRequestContext, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { Client } from 'pg'
import type { ModerationCaseSummary } from '#contract/moderation/cases.ts'
import type { Post } from '#contract/posts/posts.ts'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, test } from './fixtures.ts'
import { makeModerator } from './moderation-steps.ts'
import { publishPostViaApi } from './post-steps.ts'
import { holdRequestsToUrl } from './request-steps.ts'

const main = (page: Page) => page.getByRole('main')
type Asks = { request: APIRequestContext }

/** Duty normally ends after half an hour. */
async function endDuty(databaseUrl: string): Promise<void> {
  const db = new Client({ connectionString: databaseUrl })
  await db.connect()
  await db.query('update sessions set moderating_until = null')
  await db.end()
}

async function decideViaApi(
  { reporter, moderator }: { reporter: Asks; moderator: Asks & { password: string } },
  post: Post,
  decision: object,
): Promise<void> {
  const ask = async (by: Asks, path: string, data: object) => {
    const answer = await by.request.post(`/v1${path}`, { data })
    expect(answer.status()).toBeLessThan(300)
    return answer.json()
  }
  await ask(reporter, '/reports', { subject: { kind: 'post', id: post.$id }, reason: 'threat' })
  await ask(moderator, '/moderation/entry', { password: moderator.password })
  const queue = await moderator.request.get('/v1/moderation/cases?limit=100')
  const { documents }: { documents: ModerationCaseSummary[] } = await queue.json()
  const { $id: caseId } = documents.find(({ about }) => about?.$id === post.creator?.$id) ?? { $id: '' }
  await ask(moderator, `/moderation/cases/${caseId}/claim`, {})
  await ask(moderator, `/moderation/cases/${caseId}/decision`, decision)
}

test('MOD-02 MOD-05 MOD-06 MOD-10 MOD-12 mo enters her password, opens a case and hides the post; its author reads why and asks for a review @quick', async ({
  signedUp,
  member,
  server,
}) => {
  const [mo, iria, ana] = [await signedUp('Mo'), await signedUp('Iria Pazos'), await member('Ana')]
  await makeModerator(server.databaseUrl(), mo.$id)
  const post = await publishPostViaApi(iria)
  const sent = await ana.request.post('/v1/reports', {
    data: { subject: { kind: 'post', id: post.$id }, reason: 'threat', note: 'Mira esto' },
  })
  expect(sent.status()).toBe(201)

  // The console stays hidden until the server confirms that Iria is a moderator.
  const answerIria = await holdRequestsToUrl(iria.page, '**/v1/moderation/cases*')
  await iria.page.goto('/moderation')
  await expect(main(iria.page).getByRole('status')).toHaveText('Loading…')
  await expect(main(iria.page)).not.toContainText('Moderation')
  answerIria()
  await expect(main(iria.page)).toContainText('404 Not Found')
  await expect(iria.page.getByRole('link', { name: 'Moderation' })).toHaveCount(0)

  const { page } = mo
  await page.goto('/')
  await page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link', { name: 'Moderation' }).click()
  const password = main(page).getByLabel('Password', { exact: true })
  await password.fill('no es esta clave')
  await main(page).getByRole('button', { name: 'Enter' }).click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await password.fill(mo.password)
  await main(page).getByRole('button', { name: 'Enter' }).click()
  await expect(main(page)).toContainText(
    'You see only what was reported and what the reporter chose to show. You don’t see other messages, emails, blocks or who reported.',
  )
  await expect(main(page)).toContainText(/You can moderate for (29|30) minutes/)
  await expect(main(page).getByRole('tab')).toHaveText([/^Open/, 'Mine', 'Decided', /^Reviews/])
  const answerMo = await holdRequestsToUrl(page, '**/v1/moderation/cases?tab=decided*')
  await main(page).getByRole('tab', { name: 'Decided' }).click()
  await expect(main(page).getByRole('region', { name: 'Cases' }).getByRole('status')).toHaveText('Loading…')
  await expect(main(page).getByRole('tab', { name: 'Decided', selected: true })).toBeVisible()
  await expect(main(page)).toContainText(/You can moderate for/)
  answerMo()
  await main(page).getByRole('tab', { name: /^Open/ }).click()
  await main(page).getByRole('link', { name: 'Post by Iria Pazos' }).click()

  const panel = (name: string | RegExp) => main(page).getByRole('region', { name })
  await expect(panel('Evidence').getByRole('img')).toBeVisible()
  await expect(panel('Evidence')).toContainText(/Sealed .*SHA-256 [0-9a-f]{4}….*Kept until/s)
  await expect(panel('Reports')).toContainText(/Reporter 1.*Threat.*first report.*Mira esto/s)
  await expect(panel(/^About @/)).toContainText('No earlier decisions about her.')
  await panel('Decide').getByRole('button', { name: 'Claim' }).click()
  await panel('Decide').getByRole('radio', { name: 'Hide the post' }).check()
  const hide = panel('Decide').getByRole('button', { name: 'Hide the post' })
  await expect(hide).toBeDisabled()
  await panel('Decide')
    .getByRole('textbox', { name: 'Reason, as she will read it' })
    .fill('Busca a una persona')
  await hide.click()
  await expect(main(page).getByRole('heading', { name: 'Decided: Hidden' })).toBeVisible()
  await expect(panel('Log')).toContainText(/You · Hidden.*You · claimed the case.*Opened, evidence sealed/s)

  await iria.page.goto(`/posts/${post.$id}`)
  const note = iria.page.getByRole('alertdialog', { name: 'A note from the moderators' })
  await expect(note).toContainText('Busca a una persona')
  await note.getByRole('button', { name: 'I understand' }).click()
  const hidden = main(iria.page).getByRole('region', { name: 'Hidden by the moderators' })
  await expect(hidden).toContainText('Busca a una persona')
  await hidden.getByRole('button', { name: 'Ask for a review' }).click()
  const asking = iria.page.getByRole('dialog', { name: 'Ask for a review' })
  await expect(asking.getByRole('textbox')).toBeFocused()
  await expect(asking.getByRole('button', { name: 'Send' })).toBeDisabled()
  await asking.getByRole('textbox').fill('Es mi hermana')
  // A dialog closed by mistake keeps Iria's text.
  await iria.page.keyboard.press('Escape')
  await expect(asking).toHaveCount(0)
  await hidden.getByRole('button', { name: 'Ask for a review' }).click()
  await expect(asking.getByRole('textbox')).toHaveValue('Es mi hermana')
  await asking.getByRole('button', { name: 'Send' }).click()
  await expect(asking).toHaveCount(0)
  await expect(hidden.getByRole('button', { name: 'Ask for a review' })).toHaveCount(0)

  await page.reload()
  await expect(panel('Review')).toContainText('Es mi hermana')
  await expect(panel('Log')).toContainText(/She · asked for a review.*You · Hidden/s)
  await main(page).getByRole('link', { name: 'Moderation' }).click()
  await main(page)
    .getByRole('tab', { name: /^Reviews/ })
    .click()
  await expect(main(page).getByRole('link', { name: 'Post by Iria Pazos' })).toBeVisible()
})

test('MOD-02 MOD-05 mo’s moderation session and claim expire while she writes; her text remains after she enters and claims the case again', async ({
  signedUp,
  member,
  server,
}) => {
  const [mo, iria, ana] = [await signedUp('Mo'), await member('Iria'), await member('Ana')]
  await makeModerator(server.databaseUrl(), mo.$id)
  const post = await publishPostViaApi(iria)
  await ana.request.post('/v1/reports', {
    data: { subject: { kind: 'post', id: post.$id }, reason: 'threat' },
  })
  await mo.request.post('/v1/moderation/entry', { data: { password: mo.password } })
  const queue = await (await mo.request.get('/v1/moderation/cases?limit=100')).json()
  const { page } = mo
  await page.clock.install()
  await page.goto(`/moderation/${queue.documents.at(-1).$id}`)
  const panel = main(page).getByRole('region', { name: 'Decide' })
  const press = (name: string) => panel.getByRole('button', { name, exact: true }).click()
  const reason = panel.getByRole('textbox', { name: 'Reason, as she will read it' })
  await press('Claim')
  await expect(main(page)).toContainText(/Yours for (29|30) minutes/)
  await page.clock.fastForward('03:00')
  await expect(main(page)).toContainText(/Yours for (26|27) minutes/)
  await panel.getByRole('radio', { name: 'Suspend' }).check()
  const length = panel.getByRole('radio', { name: '7 days' })
  await length.focus()
  await page.keyboard.press('ArrowRight')
  const chosen = panel.locator('label', { has: page.getByRole('radio', { name: '30 days', checked: true }) })
  await expect(chosen).toHaveCSS('outline-style', 'solid')
  await reason.fill('Busca a una persona')

  // The reason survives releasing and claiming again.
  const answer = await holdRequestsToUrl(page, '**/v1/moderation/cases/*/release')
  await press('Release')
  await expect(panel.getByRole('button', { name: 'Release' })).toHaveAttribute('aria-busy', 'true')
  const suspend = panel.getByRole('button', { name: 'Suspend for 30 days' })
  await expect(suspend).toBeDisabled()
  await expect(suspend).not.toHaveAttribute('aria-busy')
  answer()
  await press('Claim')
  await expect(reason).toHaveValue('Busca a una persona')

  await endDuty(server.databaseUrl())
  await press('Suspend for 30 days')
  const password = main(page).getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expect(panel).toHaveCount(0)
  await password.fill(mo.password)
  await main(page).getByRole('button', { name: 'Enter' }).click()
  await expect(reason).toHaveValue('Busca a una persona')
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await press('Suspend for 30 days')
  await expect(main(page).getByRole('heading', { name: 'Decided: Suspended' })).toBeVisible()
})

test('MOD-14 MOD-16 iria must read a warning before she continues; when suspended, she sees the reason and the end date, and asks for a review', async ({
  signedUp,
  member,
  server,
}) => {
  const [iria, ana, mo] = [await signedUp('Iria'), await member('Ana'), await member('Mo')]
  await makeModerator(server.databaseUrl(), mo.$id)
  const { page } = iria
  await page.clock.install()
  await page.goto('/')
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
  const warned = await publishPostViaApi(iria)
  await decideViaApi({ reporter: ana, moderator: mo }, warned, {
    decision: 'warn',
    text: 'Aquí nadie busca a nadie',
  })
  // The notices do not reload within a few seconds.
  await page.clock.fastForward('00:05')
  await page.getByRole('link', { name: 'Explore' }).first().click()
  const note = page.getByRole('alertdialog', { name: 'A note from the moderators' })
  await expect(note).toContainText('Aquí nadie busca a nadie')
  await page.keyboard.press('Escape')
  await expect(note).toBeVisible()
  await page.reload()
  await note.getByRole('button', { name: 'I understand' }).click()
  await expect(note).toHaveCount(0)
  await expect(main(page).getByRole('heading', { name: 'Explore' })).toBeVisible()
  await page.reload()
  await expect(main(page).getByRole('heading', { name: 'Explore' })).toBeVisible()
  await expect(note).toHaveCount(0)

  const post = await publishPostViaApi(iria)
  await decideViaApi({ reporter: ana, moderator: mo }, post, {
    decision: 'suspend',
    text: 'Buscas a una persona',
    days: null,
  })
  await page.goto('/sign-in')
  const signIn = async () => {
    await page.getByLabel('Email').fill(iria.email)
    await page.getByLabel('Contraseña', { exact: true }).fill(iria.password)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  }
  await signIn()
  const suspension = main(page).getByRole('region', { name: 'Cuenta suspendida' })
  await expect(suspension.getByRole('alert')).toHaveText(
    /^Tu cuenta está suspendida para siempre\.\s+Motivo: Buscas a una persona$/,
  )
  await expect(page.getByRole('alert').getByRole('button')).toHaveCount(0)
  const what = suspension.getByRole('textbox', { name: '¿Qué deberían saber?' })
  const send = suspension.getByRole('button', { name: 'Enviar' })
  await suspension.getByRole('button', { name: 'Pedir una revisión' }).click()
  await expect(what).toBeFocused()
  await what.fill('Era una broma')
  await page.getByLabel('Contraseña', { exact: true }).fill('no es esta clave')
  await send.click()
  await expect(suspension).toContainText('El email o la contraseña no son correctos.')
  await page.getByLabel('Contraseña', { exact: true }).fill(iria.password)
  await page.route('**/v1/appeals', (route) => route.fulfill({ status: 429, json: {} }), { times: 1 })
  await send.click()
  await expect(suspension).toContainText(
    'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
  )
  await expect(what).toHaveValue('Era una broma')
  await send.click()
  const sent = suspension.getByText('Enviado. Lo volveremos a mirar.')
  await expect(sent).toBeFocused()
  await signIn()
  await suspension.getByRole('button', { name: 'Pedir una revisión' }).click()
  await what.fill('Otra vez')
  await send.click()
  await expect(suspension).toContainText('Ya pediste una revisión')
})

test('MOD-16 MFA-05 with two-factor authentication, suspended iria enters her code, sees the reason and the end date, and asks for a review', async ({
  member,
  server,
  newBrowser,
}) => {
  const [iria, ana, mo] = [await member('Iria'), await member('Ana'), await member('Mo')]
  await makeModerator(server.databaseUrl(), mo.$id)
  const authenticator = '/v1/me/authenticator'
  const { secret } = await (await iria.request.post(authenticator, { data: {} })).json()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = await (await iria.request.put(authenticator, { data: { code } })).json()
  await decideViaApi({ reporter: ana, moderator: mo }, await publishPostViaApi(iria), {
    decision: 'suspend',
    text: 'Buscas a una persona',
    days: null,
  })
  const page = await (await newBrowser()).newPage()
  await page.goto('/sign-in')
  await fillSignIn(page, iria)
  await clickSignInButton(page)
  await expect(page).toHaveURL('/sign-in/step')
  const suspension = main(page).getByRole('region', { name: 'Cuenta suspendida' })
  await expect(suspension).toHaveCount(0)
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click()
  await page.getByLabel('Código de recuperación').fill(recoveryCodes[0])
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(suspension.getByRole('alert')).toHaveText(
    /^Tu cuenta está suspendida para siempre\.\s+Motivo: Buscas a una persona$/,
  )
  await suspension.getByRole('button', { name: 'Pedir una revisión' }).click()
  await suspension.getByRole('textbox', { name: '¿Qué deberían saber?' }).fill('Era una broma')
  await suspension.getByRole('button', { name: 'Enviar' }).click()
  await expect(suspension.getByText('Enviado. Lo volveremos a mirar.')).toBeFocused()
})
