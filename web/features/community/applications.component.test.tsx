import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  type Application,
  answerVouchRequestOperation,
  applyOperation,
  approveApplicationOperation,
  declineApplicationOperation,
  listApplicationsOperation,
  listVouchRequestsOperation,
  type VouchRequest,
  withdrawApplicationOperation,
} from '#contract/community/applications.ts'
import {
  getCommunityOperation,
  getCommunitySettingsOperation,
  updateCommunityOperation,
} from '#contract/community/community.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeCommunity, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { inPages, main, question, title, toasts } from '#tests/support/component/people.ts'

const eva = { name: 'Eva', username: 'eva', email: 'eva@juntas.test', password: 'una clave larga' }
const ask = '¿Cómo nos conociste y por qué quieres unirte?'
const labels = { name: 'Nombre', username: 'Nombre de usuaria', email: 'Email', password: 'Contraseña' }
const field = (label: string) => page.getByLabelText(label, { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const credentials = { email: eva.email, password: eva.password }

async function openForm(given: Parameters<typeof makeCommunity>[0] = {}): Promise<void> {
  const { navigate } = await openApp('/sign-in', { me: null })
  api.answer(getCommunityOperation, makeCommunity({ registration: 'approval', ...given }))
  navigate('/sign-up')
  await expect.element(button('Enviar solicitud')).toBeVisible()
}

async function fillForm(): Promise<void> {
  for (const [name, value] of Object.entries(eva))
    await field(labels[name as keyof typeof labels]).fill(value)
}

test('APR-01 eva answers the question, names ana, and reads that her application is waiting', async () => {
  await openForm({ rules: ['Nos cuidamos.'], rulesVersion: 3 })
  await fillForm()
  await field(ask).fill(' Me habló Ana. ')
  await field('¿Quién te conoce aquí? (opcional)').fill('@ana')
  await page.getByRole('checkbox').click()
  api.answer(applyOperation, undefined)
  const { arrived, release } = api.hold(applyOperation)
  await button('Enviar solicitud').click()
  await arrived
  await expect.element(button('Enviando...')).toHaveAttribute('aria-busy', 'true')
  release()
  const heading = page.getByRole('heading', { name: 'Tu solicitud está en espera' })
  await expect.element(heading).toHaveFocus()
  await expect
    .element(page.getByText('Te escribiremos a eva@juntas.test cuando haya una respuesta.'))
    .toBeVisible()
  expect(api.callsOf(applyOperation)).toEqual([
    { ...eva, answer: 'Me habló Ana.', voucher: '@ana', rulesVersion: 3 },
  ])
  expect(api.callsOf(signUpOperation)).toEqual([])
  expect(api.callsOf(signInOperation)).toEqual([])
})

test('APR-01 on a phone the form shows the operator’s question; without email, eva reads that signing in shows the answer', async () => {
  const { navigate } = await openApp('/sign-in', { me: null, size: phone })
  api.answer(
    getCommunityOperation,
    makeCommunity({ registration: 'approval', mail: false, applicationQuestion: '¿Tejes o bordas?' }),
  )
  navigate('/sign-up')
  await field('¿Tejes o bordas?').fill('Bordo')
  expect(page.getByText(ask).elements()).toEqual([])
  await fillForm()
  api.answer(applyOperation, undefined)
  await button('Enviar solicitud').click()
  await expect
    .element(page.getByText('Entra con tu email y tu contraseña para saber la respuesta.'))
    .toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone.width)
})

test('APR-08 a missing answer and a refused name show errors at their fields', async () => {
  await openForm()
  await fillForm()
  await button('Enviar solicitud').click()
  await expect
    .element(field(ask))
    .toHaveAccessibleDescription(expect.stringContaining('Escribe una respuesta.'))
  await expect.element(field(ask)).toHaveFocus()
  expect(api.callsOf(applyOperation)).toEqual([])
  await field(ask).fill('Me gusta tejer.')
  api.answer(applyOperation, () => refusal('user_name_reserved', { field: 'name' }))
  await button('Enviar solicitud').click()
  await expect.element(field('Nombre')).toHaveFocus()
  for (const [type, sentence] of [
    ['applications_closed', 'Ahora no se reciben solicitudes.'],
    ['general_rate_limit_exceeded', 'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.'],
  ] as const) {
    api.refuse(applyOperation, type)
    await button('Enviar solicitud').click()
    await expect.element(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
  }
  api.refuse(applyOperation, 'network')
  await button('Enviar solicitud').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'No llegamos a Juntas.' })).toBeVisible()
  await expect.element(field(ask)).toHaveValue('Me gusta tejer.')
})

test('APR-06 eva withdraws the application that she has just sent', async () => {
  await openForm()
  await fillForm()
  await field(ask).fill('Hola')
  api.answer(applyOperation, undefined)
  await button('Enviar solicitud').click()
  api.refuse(withdrawApplicationOperation, 'network')
  await button('Retirar mi solicitud').click()
  await question('¿Retirar tu solicitud?').getByRole('button', { name: 'Cancelar' }).click()
  expect(api.callsOf(withdrawApplicationOperation)).toEqual([])
  const confirm = async () => {
    await button('Retirar mi solicitud').click()
    await question('¿Retirar tu solicitud?').getByRole('button', { name: 'Retirar' }).click()
  }
  await confirm()
  await expect.element(page.getByRole('alert').filter({ hasText: 'No llegamos a Juntas.' })).toBeVisible()
  api.answer(withdrawApplicationOperation, undefined)
  await confirm()
  await expect.element(page.getByRole('heading', { name: 'Retiraste tu solicitud' })).toHaveFocus()
  expect(api.callsOf(withdrawApplicationOperation).at(-1)).toEqual(credentials)
})

test.each([
  ['application_waiting', 'Tu solicitud está en espera. Todavía no hay respuesta.', 'Retirar'],
  ['application_declined', 'No aceptaron tu solicitud.', 'Borrar'],
] as const)(
  'APR-07 APR-06 signing in shows %s, and eva can delete her application',
  async (type, sentence, verb) => {
    await openApp('/sign-in', { me: null })
    api.refuse(signInOperation, type)
    await field('Email').fill(eva.email)
    await field('Contraseña').fill(eva.password)
    await button('Entrar').click()
    const panel = page.getByRole('region', { name: 'Tu solicitud' })
    await expect.element(panel.getByRole('alert')).toHaveTextContent(sentence)
    api.answer(withdrawApplicationOperation, undefined)
    await panel.getByRole('button', { name: `${verb} mi solicitud` }).click()
    await question(`¿${verb} tu solicitud?`).getByRole('button', { name: verb }).click()
    await expect.element(panel.getByRole('status')).toHaveTextContent('Hecho. Lo que escribiste se borró.')
    expect(api.callsOf(withdrawApplicationOperation)).toEqual([credentials])
  },
)

const makeApplication = (name: string, given: Partial<Application> = {}): Application => ({
  $id: newId('application'),
  $createdAt: new Date().toISOString(),
  name,
  username: name.toLowerCase(),
  answer: `Soy ${name}.`,
  voucher: null,
  ...given,
})

function answerQueue(...waiting: Application[]): Application[] {
  const decide = ({ applicationId }: { applicationId: string }) => {
    const at = waiting.findIndex(({ $id }) => $id === applicationId)
    if (at < 0) return refusal('application_decided')
    waiting.splice(at, 1)
    return undefined
  }
  api.answer(listApplicationsOperation, (input) => ({ ...inPages(waiting)(input), total: waiting.length }))
  api.answer(approveApplicationOperation, decide)
  api.answer(declineApplicationOperation, decide)
  return waiting
}

const operator = { operates: true as const }
const queue = main.getByRole('region', { name: 'Waiting applications' })
const cards = queue.getByRole('listitem')
const card = (name: string) => cards.filter({ hasText: `@${name.toLowerCase()}` })

test("APR-09 APR-12 an operator reads applicants' answers and the answers of the members they name, and decides", async () => {
  answerQueue(
    makeApplication('Eva', { voucher: { username: 'ana', name: 'Ana', vouched: true } }),
    makeApplication('Dora', { voucher: { username: 'bea', name: 'Bea', vouched: false } }),
    makeApplication('Carla', { voucher: { username: 'cleo', name: 'Cleo', vouched: null } }),
    makeApplication('Fina', { voucher: { username: 'nadie', name: null, vouched: null } }),
  )
  await openApp('/admin/applications', { me: operator })
  await expect.poll(() => cards.elements().length).toBe(4)
  await expect.element(cards.first()).toMatchTextContent('Eva@eva')
  await expect.element(card('Eva')).toMatchTextContent('Soy Eva.')
  await expect.element(card('Eva')).toMatchTextContent('Ana (@ana) knows her.')
  await expect.element(card('Dora')).toMatchTextContent('Bea (@bea) does not know her.')
  await expect.element(card('Carla')).toMatchTextContent('Cleo (@cleo), who has not answered yet.')
  await expect.element(card('Fina')).toMatchTextContent('She named @nadie, but nobody has this username.')
  await button('Approve Eva').click()
  const dialog = question('Approve Eva?')
  await dialog.getByLabelText('Message for the email (optional)').fill('Te esperamos.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(toasts).toMatchTextContent('Eva can sign in now.')
  await expect.element(card('Eva')).not.toBeInTheDocument()
  expect(api.callsOf(approveApplicationOperation)).toMatchObject([{ sentence: 'Te esperamos.' }])
  await button('Decline Dora').click()
  await question('Decline Dora?').getByRole('button', { name: 'Cancel' }).click()
  expect(api.callsOf(declineApplicationOperation)).toEqual([])
  await button('Decline Dora').click()
  await question('Decline Dora?').getByRole('button', { name: 'Decline' }).click()
  await expect.element(card('Dora')).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(declineApplicationOperation)).toHaveLength(1)
})

test('APR-10 an application that another operator has already decided leaves the list, with a message', async () => {
  const waiting = answerQueue(makeApplication('Eva'), makeApplication('Dora'))
  await openApp('/admin/applications', { me: operator })
  await expect.element(card('Eva')).toBeVisible()
  waiting.shift()
  await button('Approve Eva').click()
  await question('Approve Eva?').getByRole('button', { name: 'Approve' }).click()
  await expect.element(toasts).toMatchTextContent('Someone has already decided on this application.')
  await expect.element(card('Eva')).not.toBeInTheDocument()
  await expect.element(card('Dora')).toBeVisible()
})

test('APR-09 the queue loads page by page, can be retried, and says when no applications are waiting', async () => {
  answerQueue()
  api.answer(listApplicationsOperation, () => refusal('general_query_invalid'))
  await openApp('/admin/applications', { me: operator })
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  const waiting = answerQueue(...Array.from({ length: 21 }, (_, n) => makeApplication(`Nueva${n}`)))
  await again.click()
  await expect.poll(() => cards.elements().length).toBe(20)
  cards.last().element().scrollIntoView()
  await expect.poll(() => cards.elements().length).toBe(21)
  waiting.splice(1)
  await button('Decline Nueva0').click()
  await question('Decline Nueva0?').getByRole('button', { name: 'Decline' }).click()
  await expect.element(main.getByRole('heading', { name: 'Nobody is waiting' })).toBeVisible()
})

test('APR-09 a member who is not an operator sees a not-found page', async () => {
  await openApp('/admin/applications')
  await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible()
  expect(api.callsOf(listApplicationsOperation)).toEqual([])
})

test('APR-12 ana answers once for each applicant whether she knows the applicant', async () => {
  const waiting: VouchRequest[] = ['Eva', 'Dora'].map((name) => ({
    $id: newId('application'),
    $createdAt: new Date().toISOString(),
    username: name.toLowerCase(),
  }))
  api.answer(listVouchRequestsOperation, () => refusal('general_query_invalid'))
  api.answer(answerVouchRequestOperation, ({ applicationId }) => {
    const at = waiting.findIndex(({ $id }) => $id === applicationId)
    if (at < 0) return refusal('application_not_found')
    waiting.splice(at, 1)
    return undefined
  })
  await openApp('/vouch-requests')
  await expect.element(title).toHaveTextContent('Do you know them?')
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  api.answer(listVouchRequestsOperation, () => ({ documents: waiting }))
  await again.click()
  await button('I know @eva').click()
  await expect.element(toasts).toMatchTextContent('Your answer was sent.')
  await expect.element(button('I know @eva')).not.toBeInTheDocument()
  // The operator decides first.
  waiting.splice(0)
  await button('I don’t know @dora').click()
  await expect.element(toasts).toMatchTextContent('This application no longer exists.')
  await expect.element(main.getByRole('heading', { name: 'Nobody is waiting for your answer' })).toBeVisible()
  expect(api.callsOf(answerVouchRequestOperation)).toMatchObject([{ vouched: true }, { vouched: false }])
})

test('APR-14 an operator chooses registration by approval and writes the question', async () => {
  const settings = {
    ...{ name: 'Juntas', registration: 'invite' as const, rules: [], rulesVersion: 0, rulesChangedAt: null },
    ...{ contact: null, applicationQuestion: null, fixed: [] },
  }
  api.answer(getCommunitySettingsOperation, settings)
  api.answer(getCommunityOperation, makeCommunity())
  api.answer(updateCommunityOperation, ({ registration = 'invite', applicationQuestion = '' }) => ({
    ...settings,
    registration,
    applicationQuestion,
  }))
  await openApp('/admin/community', { me: operator })
  const label = 'Question for applicants'
  await expect.element(page.getByRole('radio', { name: 'By invitation' })).toBeChecked()
  expect(page.getByLabelText(label).elements()).toEqual([])
  await page.getByRole('radio', { name: 'With approval' }).click()
  await expect.element(page.getByLabelText(label)).toHaveAttribute('placeholder', ask)
  await page.getByLabelText(label).fill('¿Tejes?')
  await button('Save').click()
  await expect.element(toasts).toMatchTextContent('Saved.')
  expect(api.callsOf(updateCommunityOperation)).toMatchObject([
    { registration: 'approval', applicationQuestion: '¿Tejes?' },
  ])
})
