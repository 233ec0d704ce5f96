import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { getFirstStepsOperation, hideFirstStepsOperation } from '#contract/community/first-steps.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { addModerator } from '#server/features/moderation/moderators.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { promoteToOperator } from './promote-to-operator.ts'

let w: TestWorld
let olga: MemberClient
beforeEach(async () => {
  w = await createTestWorld()
  olga = await w.join('Olga')
  await promoteToOperator(w.database.kysely, 'olga')
})
afterEach(() => w.end())

const read = () => olga.call(getFirstStepsOperation, {})

test('INV-14 the operator sees three first steps, each marked as done by her own action', async () => {
  expect(await read()).toEqual({ hidden: false, invited: false, hasModerator: false, email: 'missing' })
  await olga.call(createInvitationOperation, {})
  expect(await read()).toMatchObject({ invited: true })
  await addModerator(w.database.kysely, 'olga', 'the operator')
  expect(await read()).toMatchObject({ hasModerator: true })
  await w.database.pool.query('update accounts set email_verified = true')
  expect(await read()).toMatchObject({ email: 'works' })
})

test('INV-14 the email step can be tested once a mail server is set', async () => {
  const withMail = await createTestWorld({ SMTP_URL: 'smtp://127.0.0.1:9' })
  try {
    const eva = await withMail.join('Eva')
    await promoteToOperator(withMail.database.kysely, 'eva')
    expect(await eva.call(getFirstStepsOperation, {})).toMatchObject({ email: 'untested' })
  } finally {
    await withMail.end()
  }
})

test('INV-14 the invitation step is done once someone has joined', async () => {
  await w.join('Ana')
  expect(await read()).toMatchObject({ invited: true })
})

test('INV-14 hiding the first steps is permanent, and two concurrent requests succeed', async () => {
  const answers = await Promise.all([1, 2].map(() => olga.ask(hideFirstStepsOperation, {})))
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(await read()).toMatchObject({ hidden: true })
})

test('INV-14 ana can neither read nor hide the first steps', async () => {
  const ana = await w.join('Ana')
  for (const who of [ana, w.visitor]) {
    expect((await who.ask(getFirstStepsOperation, {})).status).toBe(who === ana ? 404 : 401)
    expect((await who.ask(hideFirstStepsOperation, {})).status).toBe(who === ana ? 404 : 401)
  }
  expect(await read()).toMatchObject({ hidden: false })
})
