/**
 * An attacker may add sign-in methods to an account before its owner arrives. These tests check whether the
 * attacker can still open the account afterwards.
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginAuthenticatorOperation, turnOnTwoFactorOperation } from '#contract/account/account-settings.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import {
  extractCookieHeader,
  fetchCodeSentTo,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const chosen = 'una nueva y larga'
const page = 'http://localhost:3000/'
let counted = 0
const nextNumber = () => {
  counted += 1
  return counted
}
const nextPhone = () => `+3460011${String(nextNumber()).padStart(4, '0')}`

const visit = (method: string, path: string, body?: unknown, cookie = '') =>
  w.visitor.request<Record<string, unknown>>(method, path, body, cookie ? { cookie } : {})
const signIn = (email: string, secret: string) =>
  visit('POST', '/v1/account/sessions/email', { email, password: secret })
const phoneSignIn = async (phone: string) => {
  const userId = `caller${nextNumber()}`
  await visit('POST', '/v1/account/tokens/phone', { userId, phone })
  return visit('PUT', '/v1/account/sessions/phone', { userId, secret: await fetchCodeSentTo(w, phone) })
}
const accountIn = async (answer: { headers: Record<string, string> }) =>
  (await visit('GET', '/v1/account', undefined, extractCookieHeader(answer))).body
const verifyEmail = async (her: MemberClient) => {
  await her.request('POST', '/v1/account/verification', { url: page })
  const { userId, secret } = await fetchSentLinkSecret(w, her.email)
  const answer = await her.request('PUT', '/v1/account/verification', { userId, secret })
  expect(answer.status).toBe(200)
}
const recover = async (email: string) => {
  await visit('POST', '/v1/account/recovery', { email, url: page })
  const { userId, secret } = await fetchSentLinkSecret(w, email)
  const given = { userId, secret, password: chosen, passwordAgain: chosen }
  expect((await visit('PUT', '/v1/account/recovery', given)).status).toBe(200)
}
const addPhone = async (her: MemberClient): Promise<string> => {
  const phone = nextPhone()
  expect((await her.request('PATCH', '/v1/account/phone', { phone, password: testPassword })).status).toBe(
    200,
  )
  await her.request('POST', '/v1/account/verification/phone')
  const secret = await fetchCodeSentTo(w, phone)
  const verified = await her.request('PUT', '/v1/account/verification/phone', {
    userId: her.accountId,
    secret,
  })
  expect(verified.status).toBe(200)
  return phone
}
/** Adds an identity as a provider's sign-in would. */
const addIdentity = (her: MemberClient, subject: string) =>
  w.database.pool.query(
    `insert into identities (public_id, account_id, provider, provider_uid, provider_email)
     select $2::text, id, 'oidc', $2::text, 'somebody@evil.test' from accounts where public_id = $1`,
    [her.accountId, subject],
  )
const identitiesOf = async (accountId: string) =>
  (
    await w.database.pool.query(
      'select i.* from identities i join accounts a on a.id = i.account_id where a.public_id = $1',
      [accountId],
    )
  ).rows

describe("S21 an account that a squatter created with the owner's email address", () => {
  /** Adds every sign-in method that an attacker can add. */
  const occupy = async (name: string) => {
    const squatter = await w.join(name)
    const elsewhere = extractCookieHeader(await signIn(squatter.email, testPassword))
    const { jwt } = (await squatter.request<{ jwt: string }>('POST', '/v1/account/jwt')).body
    const phone = await addPhone(squatter)
    await addIdentity(squatter, squatter.accountId)
    return { squatter, elsewhere, jwt, phone }
  }
  const nothingStays = async ({ squatter, elsewhere, jwt, phone }: Awaited<ReturnType<typeof occupy>>) => {
    expect((await squatter.request('GET', '/v1/account')).status).toBe(401)
    expect((await visit('GET', '/v1/account', undefined, elsewhere)).status).toBe(401)
    const byJwt = await w.visitor.request('GET', '/v1/account', undefined, { 'x-appwrite-jwt': jwt })
    expect(byJwt.status).toBe(401)
    expect((await signIn(squatter.email, testPassword)).status).toBe(401)
    expect((await accountIn(await phoneSignIn(phone))).$id).not.toBe(squatter.accountId)
    expect(await identitiesOf(squatter.accountId)).toEqual([])
  }

  test('when the owner recovers the account by email, the squatter loses all access', async () => {
    const occupied = await occupy('Ada')
    await recover(occupied.squatter.email)
    await nothingStays(occupied)
    expect(await accountIn(await signIn(occupied.squatter.email, chosen))).toMatchObject({
      $id: occupied.squatter.accountId,
      phone: '',
      emailVerification: true,
    })
  })

  test('when the owner verifies the address signed out and chooses a password, the squatter loses all access', async () => {
    const occupied = await occupy('Berta')
    const { squatter } = occupied
    await squatter.request('POST', '/v1/account/verification', { url: page })
    const { userId, secret } = await fetchSentLinkSecret(w, squatter.email)
    const answer = await w.visitor.request<string>('POST', '/v1/auth/verification', { userId, secret })
    expect(answer.status).toBe(200)
    await nothingStays(occupied)
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(answer.body)?.[1]
    const given = {
      userId: hidden('userId'),
      secret: hidden('secret'),
      password: chosen,
      passwordAgain: chosen,
    }
    expect((await visit('POST', '/v1/auth/recovery', given)).status).toBe(200)
    expect((await signIn(squatter.email, chosen)).status).toBe(201)
  })

  test.each(['magic-url', 'email'])(
    "after the owner signs in by %s, the squatter's password no longer works",
    async (way) => {
      const occupied = await occupy('Carla')
      const { email } = occupied.squatter
      await visit('POST', `/v1/account/tokens/${way}`, { userId: `her${way}`, email })
      const secret =
        way === 'email' ? await fetchCodeSentTo(w, email) : (await fetchSentLinkSecret(w, email)).secret
      const hers = await visit('POST', '/v1/account/sessions/token', { userId: `her${way}`, secret })
      expect(hers.status).toBe(201)
      // The attacker's account also has another way to sign in, so the victim gets an account of her own.
      expect(await accountIn(hers)).toMatchObject({ email, emailVerification: true, phone: '' })
      expect((await accountIn(hers)).$id).not.toBe(occupied.squatter.accountId)
      expect((await signIn(email, testPassword)).status).toBe(401)
    },
  )

  test('a member who verifies her address in her own browser keeps only her session there and her password', async () => {
    const her = await w.join('Diana')
    const elsewhere = extractCookieHeader(await signIn(her.email, testPassword))
    const phone = await addPhone(her)
    await addIdentity(her, her.accountId)
    await verifyEmail(her)
    expect((await her.request('GET', '/v1/account')).status).toBe(200)
    expect((await visit('GET', '/v1/account', undefined, elsewhere)).status).toBe(401)
    expect((await signIn(her.email, testPassword)).status).toBe(201)
    expect((await accountIn(await phoneSignIn(phone))).$id).not.toBe(her.accountId)
    expect(await identitiesOf(her.accountId)).toEqual([])
  })
})

describe("S21 a squatter changes the email of their own account to the victim's address", () => {
  test('from an unverified address: after the victim recovers the account, no link of the squatter works', async () => {
    const squatter = await w.join('Elsa')
    const victim = 'elsa.victima@juntas.test'
    const changed = await squatter.request('PATCH', '/v1/account/email', {
      email: victim,
      password: testPassword,
    })
    expect(changed.body).toMatchObject({ email: victim, emailVerification: false })
    expect(await fetchSentMessagesTo(w, squatter.email)).toEqual([])
    await recover(victim)
    expect((await squatter.request('GET', '/v1/account')).status).toBe(401)
    const left = await w.database.pool.query(
      `select t.kind from tokens t join accounts a on a.id = t.account_id
       where a.public_id = $1 and t.used_at is null`,
      [squatter.accountId],
    )
    expect(left.rows).toEqual([])
  })

  test('from a verified address: nothing changes until the victim confirms, and she cannot confirm by mistake', async () => {
    const squatter = await w.join('Flora')
    await verifyEmail(squatter)
    const victim = 'flora.victima@juntas.test'
    const asked = await squatter.request('PATCH', '/v1/account/email', {
      email: victim,
      password: testPassword,
    })
    expect(asked).toMatchObject({ status: 200, body: { email: squatter.email, emailVerification: true } })
    const { link, userId, secret } = await fetchSentLinkSecret(w, victim)
    expect(link.pathname).toBe('/v1/auth/email-change')
    // In another browser the link requires the account's password, which the victim does not know.
    for (const given of [{}, { password: 'algo que no es' }]) {
      const answer = await visit('POST', '/v1/auth/email-change', { userId, secret, ...given })
      expect(answer.status).toBe(401)
    }
    expect((await squatter.request('GET', '/v1/account')).body).toMatchObject({ email: squatter.email })
    // She can still use her address.
    const account = { userId: 'unique()', email: victim, password: chosen }
    expect((await visit('POST', '/v1/account', account)).status).toBe(201)
    await recover(victim)
    const late = await squatter.request('POST', '/v1/auth/email-change', { userId, secret })
    expect(late.status).toBe(401)
    expect((await squatter.request('GET', '/v1/account')).body).toMatchObject({ email: squatter.email })
  })
})

describe('SDK-02 a member changes a verified email address', () => {
  const begin = async (name: string) => {
    const her = await w.join(name)
    await verifyEmail(her)
    const email = `nueva.${her.email}`
    expect((await her.request('PATCH', '/v1/account/email', { email, password: testPassword })).status).toBe(
      200,
    )
    return { her, email, ...(await fetchSentLinkSecret(w, email)) }
  }

  test('the link sent to the new address changes the email in her browser, and the old address can undo the change', async () => {
    const { her, email, userId, secret } = await begin('Gina')
    expect(await fetchSentMessagesTo(w, her.email)).toMatchObject([{ kind: 'verification' }])
    const done = await her.request('POST', '/v1/auth/email-change', { userId, secret })
    expect(done.status).toBe(200)
    expect((await her.request('GET', '/v1/account')).body).toMatchObject({ email, emailVerification: true })
    expect((await fetchSentMessagesTo(w, her.email)).at(-1)).toMatchObject({ kind: 'email-undo' })
    // The thief resets the password through their own mailbox, but the owner can still take the account back.
    await recover(email)
    const undo = await fetchSentLinkSecret(w, her.email)
    const undone = await visit('POST', '/v1/auth/email-undo', { userId: undo.userId, secret: undo.secret })
    expect(undone.status).toBe(200)
    expect((await signIn(email, chosen)).status).toBe(401)
  })

  test('a member confirms the change in another browser with her password, or signed in through the SDK', async () => {
    const first = await begin('Hilda')
    const { userId, secret } = first
    expect(
      (await visit('POST', '/v1/auth/email-change', { userId, secret, password: testPassword })).status,
    ).toBe(200)
    const second = await begin('Irma')
    const linkParameters = { userId: second.userId, secret: second.secret }
    expect((await visit('PUT', '/v1/account/verification', linkParameters)).status).toBe(401)
    expect((await second.her.request('PUT', '/v1/account/verification', linkParameters)).status).toBe(200)
    expect((await second.her.request('GET', '/v1/account')).body).toMatchObject({ email: second.email })
  })

  test('only the newest confirmation email works, and no confirmation email works after a password change', async () => {
    const { her, userId, secret } = await begin('Judith')
    const again = `otra.${her.email}`
    await her.request('PATCH', '/v1/account/email', { email: again, password: testPassword })
    expect((await her.request('POST', '/v1/auth/email-change', { userId, secret })).status).toBe(401)
    const newest = await fetchSentLinkSecret(w, again)
    await her.request('PATCH', '/v1/account/password', { password: chosen, oldPassword: testPassword })
    const linkParameters = { userId: newest.userId, secret: newest.secret }
    expect((await her.request('POST', '/v1/auth/email-change', linkParameters)).status).toBe(401)
  })

  test('S04 only one of ten simultaneous uses of one link changes the email', async () => {
    const { her, userId, secret } = await begin('Karen')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => her.request('POST', '/v1/auth/email-change', { userId, secret })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)])
  })
})

describe('S22 a former partner who knew her password', () => {
  /** Lets her verify her address. The attacker then adds a phone and an identity. */
  const addBackdoors = async (name: string) => {
    const her = await w.join(name)
    await verifyEmail(her)
    const phone = await addPhone(her)
    await addIdentity(her, her.accountId)
    return { her, phone }
  }
  const shut = async ({ her, phone }: Awaited<ReturnType<typeof addBackdoors>>) => {
    expect((await accountIn(await phoneSignIn(phone))).$id).not.toBe(her.accountId)
    expect(await identitiesOf(her.accountId)).toEqual([])
  }

  test("when she changes her password, the partner's phone number and identity are removed", async () => {
    const backdoors = await addBackdoors('Lola')
    const emails = await fetchSentMessagesTo(w, backdoors.her.email)
    expect(emails.at(-1)).toMatchObject({ kind: 'phone-added' })
    const change = { password: chosen, oldPassword: testPassword }
    const changed = await backdoors.her.request('PATCH', '/v1/account/password', change)
    expect(changed).toMatchObject({ status: 200, body: { phone: '', phoneVerification: false } })
    await shut(backdoors)
  })

  test("when she recovers her account, the partner's phone number and identity are removed", async () => {
    const backdoors = await addBackdoors('Marta')
    await recover(backdoors.her.email)
    await shut(backdoors)
  })

  test("an email sign-in before the password change does not keep the partner's phone number and identity", async () => {
    const backdoors = await addBackdoors('Nuria')
    await visit('POST', '/v1/account/tokens/magic-url', { userId: 'nuria-again', email: backdoors.her.email })
    const { secret } = await fetchSentLinkSecret(w, backdoors.her.email)
    const answer = await visit('POST', '/v1/account/sessions/token', { userId: 'nuria-again', secret })
    expect(answer.status).toBe(201)
    await backdoors.her.request('PATCH', '/v1/account/password', {
      password: chosen,
      oldPassword: testPassword,
    })
    await shut(backdoors)
  })

  test.each(['changes', 'recovers'])(
    "the partner's phone number and identity are removed also if she changed her email before she %s her password",
    async (how) => {
      const backdoors = await addBackdoors(`Olga ${how}`)
      const { her } = backdoors
      const email = `nueva.${her.email}`
      await her.request('PATCH', '/v1/account/email', { email, password: testPassword })
      const { userId, secret } = await fetchSentLinkSecret(w, email)
      expect((await her.request('PUT', '/v1/account/verification', { userId, secret })).status).toBe(200)
      if (how === 'recovers') await recover(email)
      else await her.request('PATCH', '/v1/account/password', { password: chosen, oldPassword: testPassword })
      await shut(backdoors)
    },
  )

  test('S12 a sign-in started before she recovered her account gives no valid session afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const her = await w.join('Olga')
      await visit('POST', '/v1/account/recovery', { email: her.email, url: page })
      const { userId, secret } = await fetchSentLinkSecret(w, her.email)
      const given = { userId, secret, password: chosen, passwordAgain: chosen }
      const [recovered, ...signIns] = await Promise.all([
        visit('PUT', '/v1/account/recovery', given),
        ...Array.from({ length: 8 }, () => signIn(her.email, testPassword)),
      ])
      expect(recovered.status).toBe(200)
      for (const answer of signIns.filter(({ status }) => status === 201)) {
        expect((await visit('GET', '/v1/account', undefined, extractCookieHeader(answer))).status).toBe(401)
      }
    }
  })
})

describe('S20 an account without a password', () => {
  /** Creates an account that only emailed links and codes open. */
  const withoutPassword = async (email: string) => {
    await visit('POST', '/v1/account/tokens/magic-url', { userId: 'unique()', email })
    const linkParameters = await fetchSentLinkSecret(w, email)
    return extractCookieHeader(await visit('POST', '/v1/account/sessions/token', linkParameters))
  }
  const age = (email: string) =>
    w.database.pool.query(
      `update sessions s set proved_at = s.proved_at - interval '16 minutes'
       from accounts a where a.id = s.account_id and a.email = $1`,
      [email],
    )

  test('a stolen session cannot set a password, and cannot change the address or the passkeys', async () => {
    const email = 'rita@juntas.test'
    const found = await withoutPassword(email)
    await w.database.pool.query(
      `insert into passkeys (public_id, account_id, credential_id, public_key, aaguid, backed_up, rp_id, name)
       select 'ritas-passkey', id, 'a', 'b', gen_random_uuid(), true, 'localhost', 'Móvil' from accounts where email = $1`,
      [email],
    )
    await age(email)
    for (const [path, body] of [
      ['password', { password: chosen }],
      ['email', { email: 'ajena@juntas.test', password: chosen }],
      ['phone', { phone: nextPhone(), password: chosen }],
    ] as const)
      expect((await visit('PATCH', `/v1/account/${path}`, body, found)).body).toMatchObject({
        code: 401,
        type: 'user_challenge_required',
      })
    expect((await signIn(email, chosen)).status).toBe(401)
    expect(await fetchSentMessagesTo(w, 'ajena@juntas.test')).toEqual([])
    const { rows } = await w.database.pool.query(
      `select a.password_hash, a.phone, p.name from accounts a join passkeys p on p.account_id = a.id where a.email = $1`,
      [email],
    )
    expect(rows).toEqual([{ password_hash: null, phone: null, name: 'Móvil' }])
  })

  test('the owner sets a password right after sign-in, and an anonymous account sets a password when it becomes a member', async () => {
    const email = 'sara@juntas.test'
    await withoutPassword(email)
    await age(email)
    const fresh = await withoutPassword(email)
    expect((await visit('PATCH', '/v1/account/password', { password: chosen }, fresh)).status).toBe(200)
    expect((await signIn(email, chosen)).status).toBe(201)

    const anonymous = extractCookieHeader(await visit('POST', '/v1/account/sessions/anonymous'))
    await w.database.pool.query(`update sessions set proved_at = null where provider = 'anonymous'`)
    const becoming = { email: 'tere@juntas.test', password: chosen }
    expect((await visit('PATCH', '/v1/account/email', becoming, anonymous)).status).toBe(200)
  })
})

describe('S23 closing an account', () => {
  const age = (her: MemberClient) =>
    w.database.pool.query(
      `update sessions s set created_at = s.created_at - interval '11 minutes'
       from accounts a where a.id = s.account_id and a.public_id = $1`,
      [her.accountId],
    )

  test('closing an account requires the password unless the caller just signed in', async () => {
    const her = await w.join('Paula')
    await age(her)
    for (const given of [undefined, {}, { password: 'no es la suya' }]) {
      const refused = await her.request('PATCH', '/v1/account/status', given)
      expect(refused.body).toMatchObject({ code: 401, type: 'user_invalid_credentials' })
    }
    expect((await her.request('GET', '/v1/account')).status).toBe(200)
    expect((await her.request('PATCH', '/v1/account/status', { password: testPassword })).status).toBe(200)
    expect((await signIn(her.email, testPassword)).body).toMatchObject({ type: 'user_blocked' })
  })

  test('closing an account with two-factor authentication also requires a code, even in a trusted browser', async () => {
    const her = await w.join('Petra')
    const { secret } = await her.call(beginAuthenticatorOperation, {})
    const otp = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await her.call(turnOnTwoFactorOperation, { code: otp() })
    const close = (given?: object) => her.request('PATCH', '/v1/account/status', given)
    for (const column of ['second_proved_at', 'created_at']) {
      await w.database.pool.query(
        `update sessions s set ${column} = s.${column} - interval '16 minutes'
         from accounts a where a.id = s.account_id and a.public_id = $1`,
        [her.accountId],
      )
      const given = column === 'created_at' ? { password: testPassword } : undefined
      expect((await close(given)).body).toMatchObject({ code: 401, type: 'user_challenge_required' })
    }
    await w.database.pool.query('update totp_secrets set last_step = 0')
    const { body } = await her.request<{ $id: string }>('POST', '/v1/account/mfa/challenges', {
      factor: 'totp',
    })
    await her.request('PUT', '/v1/account/mfa/challenges', { challengeId: body.$id, otp: otp() })
    expect((await close({ password: testPassword })).status).toBe(200)
  })

  test('a caller who just signed in closes the account without a password, which Appwrite clients cannot send', async () => {
    const her = await w.join('Quima')
    await age(her)
    const fresh = extractCookieHeader(await signIn(her.email, testPassword))
    expect((await visit('PATCH', '/v1/account/status', undefined, fresh)).status).toBe(200)
  })
})

test('SET-11 an account with only a phone cannot change to an unverified number unless it has another sign-in method', async () => {
  const [phone, typo, next] = [nextPhone(), nextPhone(), nextPhone()]
  const cookie = extractCookieHeader(await phoneSignIn(phone))
  const change = (number: string) =>
    visit('PATCH', '/v1/account/phone', { phone: number, password: testPassword }, cookie)
  expect(await change(typo)).toMatchObject({ status: 409, body: { type: 'user_last_way_in' } })
  expect((await visit('GET', '/v1/account', undefined, cookie)).body).toMatchObject({
    phone,
    phoneVerification: true,
  })
  // The refused change has no effect.
  const again = await phoneSignIn(phone)
  expect((await accountIn(again)).phone).toBe(phone)
  const email = `phone${nextNumber()}@juntas.test`
  const added = await visit('PATCH', '/v1/account/email', { email, password: testPassword }, cookie)
  expect(added.status).toBe(200)
  expect((await change(next)).status).toBe(200)
  expect((await signIn(email, testPassword)).status).toBe(201)
})

test('SET-11 an anonymous account can add a phone as its first sign-in method', async () => {
  const cookie = extractCookieHeader(await visit('POST', '/v1/account/sessions/anonymous', {}))
  const begun = await visit(
    'PATCH',
    '/v1/account/phone',
    { phone: nextPhone(), password: testPassword },
    cookie,
  )
  expect(begun.status).toBe(200)
})
