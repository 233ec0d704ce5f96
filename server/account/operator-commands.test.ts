/** The link that an operator makes for somebody who cannot sign in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as settings from '#contract/account-settings.ts'
import * as emailLinks from '#contract/email-links.ts'
import { readConfig } from '#server/config.ts'
import { createServerLogger } from '#server/log.ts'
import { createDevOutbox } from '#server/messaging/dev-outbox.ts'
import { createMailSender } from '#server/messaging/mail.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { issueRecoveryLink } from './operator-commands.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

describe('the operator', () => {
  test('REC-12 makes a link by which a member chooses a password; the member is told by letter and in the log', async () => {
    const lucia = await w.join('Lucia')
    const outbox = createDevOutbox()
    const mail = await createMailSender(readConfig({}), createServerLogger('silent'), outbox)
    const context = { db: w.database.kysely, mail, publicUrl: 'http://localhost:3000' }
    const { username } = (
      await w.database.pool.query('select username from users where public_id = $1', [lucia.id])
    ).rows[0]
    const link = new URL(await issueRecoveryLink(context, `@${username.toUpperCase()}`))
    expect(`${link.origin}${link.pathname}`).toBe('http://localhost:3000/recovery/new')
    const [letter] = outbox.entries()
    expect(letter).toMatchObject({ to: lucia.email, kind: 'operator-recovery' })
    expect(letter?.text).not.toContain(link.searchParams.get('secret'))
    const { documents } = await lucia.call(settings.listSecurityEventsOperation, {})
    expect(documents[0]).toMatchObject({ event: 'recovery.operator', browser: null })
    const chosen = {
      userId: link.searchParams.get('userId') ?? '',
      secret: link.searchParams.get('secret') ?? '',
      password: 'una nueva y larga',
    }
    expect((await w.visitor.ask(emailLinks.resetPasswordOperation, chosen)).status).toBe(200)
    expect((await w.visitor.ask(emailLinks.resetPasswordOperation, chosen)).status).toBe(401)
    await expect(issueRecoveryLink(context, 'nadie')).rejects.toThrow('Nobody is called nadie.')
  })
})
