import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  type Application,
  answerVouchRequestOperation,
  applyOperation,
  approveApplicationOperation,
  confirmApplicationOperation,
  declineApplicationOperation,
  listApplicationsOperation,
  listVouchRequestsOperation,
  removeApplicationByEmailLinkOperation,
  type VouchRequest,
  withdrawApplicationOperation,
} from '#contract/community/applications.ts'
import {
  getCommunityOperation,
  getCommunitySettingsOperation,
  updateCommunityOperation,
} from '#contract/community/community.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeCommunity, makePrivacySettings, newId } from '#tests/support/component/fixtures.ts'
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

test('APR-01 eva answers the question, names ana, and reads that she must confirm her address', async () => {
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
  const heading = page.getByRole('heading', { name: 'Confirma tu correo' })
  await expect.element(heading).toHaveFocus()
  await expect
    .element(main)
    .toMatchTextContent(
      'Enviamos un enlace a eva@juntas.test. Ábrelo y escribe tu contraseña: hasta entonces nadie lee tu solicitud. Si no lo haces, se borra en 3 días.',
    )
  expect(page.getByRole('link', { name: /dev\/outbox/ }).elements()).toEqual([])
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
    .element(main)
    .toMatchTextContent(
      'Entra con tu email y tu contraseña para saber la respuesta. Esta comunidad no envía correos.',
    )
  expect(main.element().textContent).not.toMatch(/escribiremos|Enviamos/)
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

test('APR-17 eva asks for another email after a minute, and too many requests are refused', async () => {
  await openForm({ outbox: true })
  await fillForm()
  await field(ask).fill('Hola')
  api.answer(applyOperation, undefined)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await button('Enviar solicitud').click()
  const again = page.getByRole('button', { name: /^Enviar otro/ })
  await expect.element(again).toBeDisabled()
  await expect.element(page.getByRole('link', { name: /dev\/outbox/ })).toBeVisible()
  await expect
    .poll(() => {
      vi.advanceTimersByTime(10_000)
      return again.element().textContent
    })
    .toBe('Enviar otro')
  vi.useRealTimers()
  api.refuse(applyOperation, 'general_rate_limit_exceeded')
  await again.click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Demasiados intentos seguidos.' }))
    .toBeVisible()
  const [first, second] = api.callsOf(applyOperation)
  expect(second).toEqual(first)
})

test('APR-17 eva corrects her address and keeps everything she wrote', async () => {
  await openForm({ rules: ['Nos cuidamos.'], rulesVersion: 3 })
  await fillForm()
  await field('Email').fill('eba@juntas.test')
  await field(ask).fill('Hola')
  await field('¿Quién te conoce aquí? (opcional)').fill('ana')
  await page.getByRole('checkbox').click()
  api.answer(applyOperation, undefined)
  await button('Enviar solicitud').click()
  await button('Usar otro correo').click()
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(field('Email')).toHaveValue('eba@juntas.test')
  await field('Email').fill(eva.email)
  await button('Enviar solicitud').click()
  await expect.element(main).toMatchTextContent('Enviamos un enlace a eva@juntas.test.')
  const sent = { ...eva, answer: 'Hola', voucher: 'ana', rulesVersion: 3 }
  expect(api.callsOf(applyOperation)).toEqual([{ ...sent, email: 'eba@juntas.test' }, sent])
})

const proof = { userId: newId('application'), secret: 'a'.repeat(64) }
const openLink = (query = `?userId=${proof.userId}&secret=${proof.secret}`, given = {}) =>
  openApp(`/sign-up/confirm${query}`, { me: null, ...given })
const password = field('Contraseña de tu solicitud')

test('APR-17 eva confirms her address with her password, after a mistake and a lost connection', async () => {
  await openLink(undefined, { size: phone })
  await expect.element(title).toHaveTextContent('Confirma tu solicitud')
  expect(location.search).toBe('')
  await password.fill('otra clave')
  api.refuse(confirmApplicationOperation, 'user_invalid_credentials')
  await button('Confirmar mi solicitud').click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'No es la contraseña de esta solicitud.' }))
    .toBeVisible()
  api.refuse(confirmApplicationOperation, 'network')
  await password.fill(eva.password)
  await button('Confirmar mi solicitud').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'No llegamos a Juntas.' })).toBeVisible()
  api.answer(confirmApplicationOperation, undefined)
  const { arrived, release } = api.hold(confirmApplicationOperation)
  await button('Confirmar mi solicitud').click()
  await arrived
  await expect.element(button('Confirmando...')).toHaveAttribute('aria-busy', 'true')
  await expect.element(button('No fui yo: borrarla')).toBeDisabled()
  release()
  await expect.element(page.getByRole('heading', { name: 'Tu solicitud está en espera' })).toHaveFocus()
  expect(api.callsOf(confirmApplicationOperation).at(-1)).toEqual({ ...proof, password: eva.password })
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone.width)
})

test.each([
  [true, 'Te escribiremos cuando haya una respuesta.'],
  [false, 'Entra con tu email y tu contraseña para saber la respuesta.'],
])('APR-21 an email about the answer is promised only if the server sends email: %s', async (mail, lead) => {
  api.answer(getCommunityOperation, makeCommunity({ mail }))
  api.answer(confirmApplicationOperation, undefined)
  await openLink()
  await password.fill(eva.password)
  await button('Confirmar mi solicitud').click()
  await expect.element(main).toMatchTextContent(`Confirmaste tu correo. ${lead}`)
})

test('APR-17 the owner of the mailbox reads what happened and removes the application that is not hers', async () => {
  await openLink()
  await expect.element(main).toMatchTextContent('Alguien envió una solicitud para unirse con tu correo.')
  api.answer(removeApplicationByEmailLinkOperation, undefined)
  await button('No fui yo: borrarla').click()
  await expect.element(page.getByRole('heading', { name: 'La solicitud se borró' })).toHaveFocus()
  expect(api.callsOf(removeApplicationByEmailLinkOperation)).toEqual([proof])
  expect(api.callsOf(confirmApplicationOperation)).toEqual([])
})

test('APR-17 a damaged link says so', async () => {
  await openLink('')
  await expect.element(title).toHaveTextContent('Este enlace ya no vale.')
})

test.each([
  [confirmApplicationOperation, 'Confirmar mi solicitud'],
  [removeApplicationByEmailLinkOperation, 'No fui yo: borrarla'],
] as const)('APR-17 a used or expired link says so: $name', async (operation, act) => {
  await openLink()
  await password.fill(eva.password)
  api.refuse(operation, 'user_invalid_token')
  await button(act).click()
  await expect.element(title).toHaveTextContent('Este enlace ya no vale.')
  await expect.element(page.getByRole('link', { name: 'Enviar otra solicitud' })).toBeVisible()
})

test.each([
  ['with approval and email the page reminds applicants to confirm', { registration: 'approval' }, 1],
  ['without email the page reminds nobody', { registration: 'approval', mail: false }, 0],
  ['without approval the page reminds nobody', { registration: 'open' }, 0],
] as const)('APR-18 after a failed sign-in, %s', async (_title, given, times) => {
  await openApp('/sign-in', { me: null })
  const { arrived, release } = api.hold(getCommunityOperation)
  api.answer(getCommunityOperation, makeCommunity(given))
  api.refuse(signInOperation, 'user_invalid_credentials')
  await field('Email').fill(eva.email)
  await field('Contraseña').fill(eva.password)
  await button('Entrar').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'no son correctos' })).toBeVisible()
  await arrived
  release()
  const hint = page.getByText('¿Enviaste una solicitud? Confírmala antes con el enlace de nuestro correo.')
  await expect.poll(() => hint.elements().length).toBe(times)
})

test('APR-06 eva withdraws the application that she has just sent', async () => {
  await openForm({ mail: false })
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
  emailConfirmed: true,
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
  if (!api.isAnswered(getCommunityOperation)) api.answer(getCommunityOperation, makeCommunity())
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

test('APR-21 without email, an operator sees which addresses are not confirmed, and writes no message for an email', async () => {
  answerQueue(makeApplication('Eva', { emailConfirmed: false }), makeApplication('Dora'))
  api.answer(getCommunityOperation, makeCommunity({ registration: 'approval', mail: false }))
  await openApp('/admin/applications', { me: operator })
  await expect.element(card('Eva')).toMatchTextContent('Email address not confirmed')
  expect(card('Dora').element().textContent).not.toContain('not confirmed')
  await expect.element(main).toMatchTextContent('this community sends no email')
  await button('Decline Eva').click()
  await expect.element(question('Decline Eva?')).toBeVisible()
  expect(page.getByLabelText('Message for the email (optional)').elements()).toEqual([])
  await question('Decline Eva?').getByRole('button', { name: 'Decline' }).click()
  await expect.element(toasts).toMatchTextContent('She will see it when she signs in.')
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
    emailConfirmed: name === 'Eva',
  }))
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
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

test('APR-22 ana turns the questions off where she is asked, and on again', async () => {
  const waiting = [
    {
      $id: newId('application'),
      $createdAt: new Date().toISOString(),
      username: 'eva',
      emailConfirmed: true,
    },
  ]
  let takesVouchRequests = true
  api.answer(listVouchRequestsOperation, () => ({ documents: takesVouchRequests ? waiting : [] }))
  api.answer(getPrivacySettingsOperation, () => ({ ...makePrivacySettings(), takesVouchRequests }))
  api.answer(updatePrivacySettingsOperation, (given) => {
    takesVouchRequests = given.takesVouchRequests ?? takesVouchRequests
    return { ...makePrivacySettings(), takesVouchRequests }
  })
  await openApp('/vouch-requests')
  const off = button('Don’t ask me again')
  await expect.element(button('I know @eva')).toBeVisible()
  await off.click()
  await question('Stop asking you?').getByRole('button', { name: 'Cancel' }).click()
  expect(api.callsOf(updatePrivacySettingsOperation)).toEqual([])
  await off.click()
  await question('Stop asking you?').getByRole('button', { name: 'Don’t ask me again' }).click()
  await expect.element(page.getByText('We don’t ask you about applicants.')).toBeVisible()
  await expect.element(button('I know @eva')).not.toBeInTheDocument()
  api.refuse(updatePrivacySettingsOperation, 500)
  await button('Ask me again').click()
  await expect.element(page.getByText('We don’t ask you about applicants.')).toBeVisible()
  expect(api.callsOf(updatePrivacySettingsOperation)).toEqual([
    { takesVouchRequests: false },
    { takesVouchRequests: true },
  ])
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
