import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { beginAuthenticatorOperation } from '#contract/account/account-settings.ts'
import { beginPasskeyOperation } from '#contract/account/passkeys.ts'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { updateCommunityOperation } from '#contract/community/community.ts'
import { setCommunityLogoOperation } from '#contract/community/community-identity.ts'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { fillCommunityName } from '#server/email/fill-community-name.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { renderArchiveHtmlPage } from '../data-export/archive-html-page.ts'
import { promoteToOperator } from './promote-to-operator.ts'

const typed = ' \u202eLas "Vecinas": $& <b> 🏡\u200f '
const name = 'Las "Vecinas": $& <b> 🏡'
const escaped = 'Las &quot;Vecinas&quot;: $&amp; &lt;b&gt; 🏡'

let w: TestWorld
let olga: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  olga = await w.join('Olga')
  await promoteToOperator(w.database.kysely, 'olga')
  expect(await olga.call(updateCommunityOperation, { name: typed })).toMatchObject({ name })
})
afterAll(() => w.end())

const signUp = { name: 'Ana', username: 'soporte', email: 'ana@juntas.test', password: testPassword }
const askAsAdministrator = (language: string) =>
  w.visitor.request<{ message: string }>('POST', '/v1/members', signUp, { 'juntas-language': language })

test('OPD-10 passkeys are named after the community', async () => {
  expect((await olga.call(beginPasskeyOperation, {})).rp).toEqual({ id: 'localhost', name })
})

test('OPD-10 an authenticator app shows the community without the colon that would split its label', async () => {
  const { uri } = await olga.call(beginAuthenticatorOperation, {})
  const { pathname, searchParams } = new URL(uri)
  const issuer = 'Las "Vecinas" $& <b> 🏡'
  expect(searchParams.get('issuer')).toBe(issuer)
  expect(decodeURIComponent(pathname).endsWith(`${issuer}:olga@juntas.test`)).toBe(true)
})

test('OPD-10 the error about a reserved name names the community in each language', async () => {
  expect(await w.visitor.refusal(signUpOperation, signUp)).toMatchObject({
    type: 'user_name_reserved',
    message: `Este nombre parece del equipo de ${name}. Elige otro.`,
  })
  expect((await askAsAdministrator('en')).body.message).toBe(
    `This name looks like the ${name} team’s. Choose another.`,
  )
  expect((await askAsAdministrator('pt')).body.message).toBe(
    `Este nome parece ser da equipe do ${name}. Escolha outro.`,
  )
})

test('OPD-10 the pages that emails link to show the community’s name and logo', async () => {
  const page = async () =>
    (await w.visitor.request<string>('GET', '/v1/auth/magic-url?userId=a&secret=b')).body
  expect(await page()).toContain(`<title>Entra en ${escaped} · ${escaped}</title>`)
  expect(await page()).toContain(`<h1>Entra en ${escaped}</h1>`)
  expect(await page()).toContain(`aria-label="${escaped}"><svg`)
  expect(await page()).not.toContain('Juntas')
  const { logo } = await olga.call(setCommunityLogoOperation, {
    fileId: await olga.upload(await createPng('#1e50c8', 60, 60)),
  })
  expect(await page()).toContain(`<link rel="icon" href="/v1/community/logo/${logo}" type="image/png">`)
  expect(await page()).toContain(`aria-label="${escaped}"><img src="/v1/community/logo/${logo}"`)
})

test('OPD-10 the page in a data export names the community', async () => {
  async function* nothing() {}
  const copy = { list: nothing, messages: nothing }
  let page = ''
  for await (const part of renderArchiveHtmlPage(copy, { madeAt: new Date(0), communityName: name }))
    page += part
  expect(page).toContain(`<title>Tu copia de ${escaped}</title>`)
  expect(page).toContain(`en ${escaped} desde el`)
  expect(page).not.toContain('Juntas')
})

test('OPD-10 a name is inserted literally into emails and text messages', () => {
  expect(fillCommunityName('{community} y {community}', name)).toBe(`${name} y ${name}`)
})
