import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import { updateCommunityOperation } from '#contract/community/community.ts'
import {
  dismissAnnouncementOperation,
  getCommunityIdentityOperation,
  removeCommunityLogoOperation,
  setCommunityLogoOperation,
  updateCommunityIdentityOperation,
} from '#contract/community/community-identity.ts'
import { getFileOperation } from '#contract/files/files.ts'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { fillCommunityName, fillCommunityNameInEmail } from '#server/email/fill-community-name.ts'
import { renderCodeSms, renderTestEmail } from '#server/email/message-templates.ts'
import { addModerator } from '#server/features/moderation/moderators.ts'
import { fetchNewestMessageTo } from '#tests/support/sent-messages.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { promoteToOperator } from './promote-to-operator.ts'

let w: TestWorld
let ana: MemberClient
let olga: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  olga = await w.join('Olga')
  await promoteToOperator(w.database.kysely, 'olga2')
})
afterAll(() => w.end())
beforeEach(() =>
  w.database.pool.query(
    `delete from community_logo; update accounts set announcement_seen = 0; update community set accent = null, announcement = ''`,
  ),
)

const me = (who: MemberClient) => who.call(getCurrentMemberOperation, {})
const picture = async (color = '#1e50c8') => olga.upload(await createPng(color, 600, 400))

test('OPD-02 only an operator reads and changes the look of the community; others get 404', async () => {
  const mia = await w.join('Mia')
  await addModerator(w.database.kysely, 'mia3', 'the operator')
  const missing = { code: 404, type: 'general_route_not_found' }
  for (const who of [ana, mia]) {
    expect(await who.refusal(getCommunityIdentityOperation, {})).toMatchObject(missing)
    expect(await who.refusal(updateCommunityIdentityOperation, { accent: 'sea' })).toMatchObject(missing)
    const fileId = await who.upload(await createPng('#1e50c8', 60, 60))
    expect(await who.refusal(setCommunityLogoOperation, { fileId })).toMatchObject(missing)
    expect(await who.refusal(removeCommunityLogoOperation, {})).toMatchObject(missing)
  }
  expect(await w.visitor.refusal(getCommunityIdentityOperation, {})).toMatchObject({ code: 401 })
  expect(await w.visitor.refusal(dismissAnnouncementOperation, { version: 1 })).toMatchObject({ code: 401 })
  expect(await olga.call(getCommunityIdentityOperation, {})).toEqual({
    accent: null,
    logo: null,
    announcement: '',
    announcedAt: null,
  })
})

test.each([
  [{ accent: 'neon' }, 'accent'],
  [{ accent: '#ff0000' }, 'accent'],
  [{ announcement: 'x'.repeat(501) }, 'announcement'],
  [{ announcement: 5 }, 'announcement'],
])('OPD-02 changing the look of the community to %j returns 400, naming the field', async (wrong, field) => {
  expect(await olga.refusal(updateCommunityIdentityOperation, wrong as never)).toMatchObject({
    code: 400,
    field,
  })
})

test('OPD-02 every member sees the accent colour, and the log names the changed fields', async () => {
  await olga.call(updateCommunityIdentityOperation, { accent: 'sea' })
  expect(await me(ana)).toMatchObject({ accent: 'sea' })
  await olga.call(updateCommunityIdentityOperation, { accent: 'sea' })
  const { documents } = await olga.call(listOperatorActsOperation, { limit: 1 })
  expect(documents).toMatchObject([{ act: 'community.update', detail: { fields: ['accent'] } }])
  await olga.call(updateCommunityIdentityOperation, { accent: null })
  expect(await me(ana)).not.toHaveProperty('accent')
})

test('OPD-03 the logo is cropped to a square, public, and cached permanently by its version', async () => {
  const fileId = await picture()
  const { logo } = await olga.call(setCommunityLogoOperation, { fileId })
  expect(await me(ana)).toMatchObject({ logo })
  const answer = await w.app.inject({ url: `/v1/community/logo/${logo}?size=512` })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect([answer.rawPayload.readUInt32BE(16), answer.rawPayload.readUInt32BE(20)]).toEqual([512, 512])
  expect(await olga.refusal(getFileOperation, { fileId })).toMatchObject({ code: 404 })
  const next = await olga.call(setCommunityLogoOperation, { fileId: await picture('#c81e50') })
  expect(next.logo).not.toBe(logo)
  expect((await w.app.inject({ url: `/v1/community/logo/${logo}` })).statusCode).toBe(404)
  expect(await olga.call(removeCommunityLogoOperation, {})).toMatchObject({ logo: null })
  expect((await w.app.inject({ url: `/v1/community/logo/${next.logo}` })).statusCode).toBe(404)
  for (const wrong of ['x', '../..', '0'.repeat(17)])
    expect((await w.app.inject({ url: `/v1/community/logo/${encodeURIComponent(wrong)}` })).statusCode).toBe(
      400,
    )
})

test("OPD-03 only the operator's own finished upload can become the logo", async () => {
  const hers = await ana.upload(await createPng('#1e50c8', 60, 60))
  for (const fileId of [hers, 'nothing'])
    expect(await olga.refusal(setCommunityLogoOperation, { fileId })).toMatchObject({
      code: 404,
      type: 'storage_file_not_found',
    })
})

test('OPD-03 if two logos are set concurrently, one is stored whole', async () => {
  const uploads = [await picture(), await picture('#c81e50')]
  const answers = await Promise.all(uploads.map((fileId) => olga.ask(setCommunityLogoOperation, { fileId })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { logo } = await olga.call(getCommunityIdentityOperation, {})
  const { rows } = await w.database.pool.query('select version from community_logo')
  expect(rows).toEqual([{ version: logo }])
})

test('OPD-04 an announcement is shown to each member until she dismisses it', async () => {
  const text = 'El sábado nos vemos: https://juntas.example/sabado'
  await olga.call(updateCommunityIdentityOperation, { announcement: ` ${text} ` })
  const { announcement } = await me(ana)
  expect(announcement).toEqual({
    version: expect.any(Number),
    text,
    at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
  })
  const version = announcement?.version ?? 0
  const answers = await Promise.all([1, 2].map(() => ana.ask(dismissAnnouncementOperation, { version })))
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(await me(ana)).not.toHaveProperty('announcement')
  expect(await me(olga)).toMatchObject({ announcement: { text } })
  // An announcement with the same text does not count as new.
  await olga.call(updateCommunityIdentityOperation, { announcement: text, accent: 'sea' })
  expect(await me(ana)).not.toHaveProperty('announcement')
  await olga.call(updateCommunityIdentityOperation, { announcement: 'Otra cosa' })
  expect(await me(ana)).toMatchObject({ announcement: { version: version + 1, text: 'Otra cosa' } })
  await ana.call(dismissAnnouncementOperation, { version: 2_000_000_000 })
  await olga.call(updateCommunityIdentityOperation, { announcement: 'Y otra' })
  expect(await me(ana)).toMatchObject({ announcement: { text: 'Y otra' } })
  await olga.call(updateCommunityIdentityOperation, { announcement: '' })
  expect(await me(ana)).not.toHaveProperty('announcement')
})

test('OPD-10 emails and text messages name the community', async () => {
  await olga.call(updateCommunityOperation, { name: 'Barro <y> Luz' })
  try {
    await w.visitor.request('POST', '/v1/account/recovery', {
      email: ana.email,
      url: 'http://localhost:3000/v1/auth/recovery',
    })
    const { subject, text } = await fetchNewestMessageTo(w, ana.email)
    expect(subject).toContain('Choose a new password')
    expect(text).toContain('la contraseña de tu cuenta de Barro <y> Luz')
    expect(text).not.toMatch(/Juntas|\{/)
    expect(fillCommunityNameInEmail(renderTestEmail(), 'Barro <y> Luz').html).toContain(
      '<title>Barro &lt;y&gt; Luz</title>',
    )
    expect(fillCommunityName(renderCodeSms('phone-code', '123456').text, 'Barro')).toContain(
      'es tu código de Barro.',
    )
  } finally {
    await olga.call(updateCommunityOperation, { name: 'Juntas' })
  }
})
