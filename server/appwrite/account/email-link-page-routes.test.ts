import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  extractCookieHeader,
  fetchSentLinkSecret,
  fetchSentMessagesTo,
} from '../../../tests/support/sent-messages.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:3000' }
const page = (path: string) => w.visitor.request<string>('GET', path)
const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = form) =>
  w.visitor.request<string>('POST', path, String(new URLSearchParams(fields)), headers)

/** Reads hidden fields, which a browser also sends. */
const hiddenIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
const urlOf = (kind: string) => `http://localhost:3000/v1/auth/${kind}`

describe('the pages linked from emails', () => {
  test('a sign-in link opens a page with a button, and signs the member in only when she presses the button', async () => {
    await w.visitor.request('POST', '/v1/account/sessions/magic-url', {
      userId: 'unique()',
      email: ana.email,
    })
    const { link } = await fetchSentLinkSecret(w, ana.email)
    const path = `${link.pathname}${link.search}`
    for (let opened = 0; opened < 3; opened += 1) {
      const shown = await page(path)
      expect(shown.status).toBe(200)
      expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(shown.headers).not.toHaveProperty('set-cookie')
    }
    const { body, headers } = await page(path)
    expect(body).toContain('<html lang="es">')
    expect(body).toContain('<button class="button">Entrar</button>')
    expect(headers['cache-control']).toBe('no-store')
    // Without an origin header, the server would take the form for one of another site and refuse it.
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).not.toMatch(/<script|<style|style=|\son\w+=|http:\/\/(?!localhost)|https:/)

    const inside = await submit('/v1/auth/magic-url', hiddenIn(body))
    expect(inside).toMatchObject({ status: 303, headers: { location: '/' } })
    const account = await w.visitor.request('GET', '/v1/account', undefined, {
      cookie: extractCookieHeader(inside),
    })
    expect(account.body).toMatchObject({ $id: ana.accountId, emailVerification: true })

    const again = await submit('/v1/auth/magic-url', hiddenIn(body))
    expect(again.status).toBe(401)
    expect(again.body).toContain('Este enlace ya no vale. Pide otro.')
    expect(again.headers).not.toHaveProperty('set-cookie')
  })

  test('the recovery page asks for the new password twice, explains errors and leaves the link usable', async () => {
    const bea = await w.join('Bea')
    await w.visitor.request('POST', '/v1/account/recovery', { email: bea.email, url: urlOf('recovery') })
    const { link } = await fetchSentLinkSecret(w, bea.email)
    const shown = await page(`${link.pathname}${link.search}`)
    expect(shown.body.match(/type="password" autocomplete="new-password"/g)).toHaveLength(2)
    const hidden = hiddenIn(shown.body)
    const different = await submit('/v1/auth/recovery', {
      ...hidden,
      password: 'una nueva y larga',
      passwordAgain: 'otra nueva y larga',
    })
    expect(different.status).toBe(400)
    expect(different.body).toContain('Las dos contraseñas no son iguales.')
    const short = await submit('/v1/auth/recovery', { ...hidden, password: 'corta', passwordAgain: 'corta' })
    expect(short.body).toContain('entre 8 y 256 caracteres')
    expect(hiddenIn(short.body)).toEqual(hidden)
    const good = { password: 'una nueva y larga', passwordAgain: 'una nueva y larga' }
    const done = await submit('/v1/auth/recovery', { ...hidden, ...good })
    expect(done.status).toBe(200)
    expect(done.body).toContain('Contraseña guardada')
    expect(done.body).toContain('href="/sign-in"')
    const back = { email: bea.email, password: good.password }
    expect((await w.visitor.request('POST', '/v1/account/sessions/email', back)).status).toBe(201)
  })

  test("a verification link verifies the member's email address", async () => {
    const cleo = await w.join('Cleo')
    await cleo.request('POST', '/v1/account/verification', { url: urlOf('verification') })
    const { link } = await fetchSentLinkSecret(w, cleo.email)
    const { body } = await page(`${link.pathname}${link.search}`)
    const inHerBrowser = { ...form, cookie: cleo.cookie }
    const done = await submit('/v1/auth/verification', hiddenIn(body), inHerBrowser)
    expect(done.body).toContain('Correo confirmado')
    expect((await cleo.request('GET', '/v1/account')).body).toMatchObject({ emailVerification: true })
  })

  test('a page shows the contents of its link as text, and an empty link is refused on use', async () => {
    const mean = '"><script>alert(1)</script>'
    const { body } = await page(
      `/v1/auth/recovery?userId=${encodeURIComponent(mean)}&secret=${encodeURIComponent(mean)}`,
    )
    expect(body).not.toContain('<script')
    expect(body).toContain('&quot;&gt;&lt;script&gt;')
    for (const kind of ['magic-url', 'verification', 'recovery', 'email-undo']) {
      expect((await page(`/v1/auth/${kind}`)).status).toBe(200)
      const empty = await submit(`/v1/auth/${kind}`, { userId: '', secret: '' })
      expect(empty.status).toBe(400)
      expect(empty.body).toContain('Este enlace no está completo.')
    }
    expect((await page('/v1/auth/nothing')).status).toBe(404)
  })

  test('S13 a form from a foreign origin is refused, and no other API call accepts forms', async () => {
    await w.visitor.request('POST', '/v1/account/sessions/magic-url', {
      userId: 'unique()',
      email: ana.email,
    })
    const { userId, secret } = await fetchSentLinkSecret(w, ana.email)
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await submit('/v1/auth/magic-url', { userId, secret }, { ...form, origin })
      expect(answer.body).toMatchObject({ code: 403, type: 'general_unknown_origin' })
    }
    const signIn = await submit('/v1/account/sessions/email', { email: ana.email, password: 'x' })
    expect(signIn.body).toMatchObject({ code: 415, type: 'general_content_type_invalid' })
    expect((await submit('/v1/auth/magic-url', { userId, secret: 'x'.repeat(9000) })).status).toBe(413)
    const links = (await fetchSentMessagesTo(w, ana.email)).filter(({ kind }) => kind === 'magic-url')
    expect(links).toHaveLength(2)
    expect((await submit('/v1/auth/magic-url', { userId, secret })).status).toBe(303)
  })

  test('the stylesheet and fonts of the pages have the right content types', async () => {
    const css = await page('/v1/auth/email-link-pages.css')
    expect(css.headers['content-type']).toBe('text/css; charset=utf-8')
    for (const [, font] of css.body.matchAll(/url\("([^"]+)"\)/g)) {
      const { status, headers } = await page(`/v1/auth/${font}`)
      expect([font, status, headers['content-type']]).toEqual([font, 200, 'font/woff2'])
    }
  })
})
