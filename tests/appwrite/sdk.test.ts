/**
 * Every call of spec §7 by the official web SDKs, 13.0.2 and the newest, unmodified, in Node: by a page of ours, whose
 * browser keeps the cookie, and by a page of another origin, which keeps the fallback in its local storage. The same
 * scripts run in a real browser (tests/journeys/sdk.spec.ts).
 */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Internet, internet } from '#tests/internet.ts'
import { png } from '#tests/pictures.ts'
import { password, type World, world } from '#tests/world.ts'
import { openWindow } from './official-browser.ts'
import { loadNewestSdk, loadSdk } from './official-client.ts'
import { byNewest } from './sdk/newest.ts'
import { peerOf } from './sdk/peer.ts'
import type { Around, Her, Peer, Script } from './sdk/script.ts'
import { byThirteen } from './sdk/thirteen.ts'

let net: Internet
let w: World
let peer: Peer
let url: string
beforeAll(async () => {
  net = await internet()
  w = await world({}, net.reach)
  peer = peerOf(w.visitor, await w.join('Nora'))
  await w.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(w.app.server.address() as AddressInfo).port}`
  const picture = await png()
  for (const path of ['/picture.png', '/favicon.ico']) {
    net.serve(path, (_, response) => response.setHeader('content-type', 'image/png').end(picture))
  }
  net.serve('/', (_, response) => response.end('<p>'))
})
afterAll(async () => {
  await w.end()
  await net.end()
})

/** No measure, only the end of patience: large pictures are decoded on the way. In milliseconds. */
const patience = 120_000

const [thirteen, newest] = ['13.0.2', 'the newest SDK']
const [cookie, fallback] = ['with a cookie', 'from another origin with the fallback']
const cases = [
  { sdk: thirteen, how: cookie },
  { sdk: thirteen, how: fallback },
  { sdk: newest, how: cookie },
  { sdk: newest, how: fallback },
].map((each, number) => ({ ...each, number }))

/** A page with the SDK, and what she does there. */
function openPage({ sdk, how, number }: (typeof cases)[number], server: string, site: string) {
  const keepsFallback = how === fallback
  const { window, stored, show } = openWindow(server, keepsFallback ? 'http://localhost:5999' : server)
  const her: Her = {
    endpoint: `${server}/v1`,
    name: 'Ana',
    username: `ana.${number}`,
    email: `ana.${number}@sdk.test`,
    phone: `+3460000000${number}`,
    password,
    shows: { pictures: !keepsFallback, icons: !keepsFallback },
    keepsFallback,
    site,
  }
  const around: Around = { ...peer, show, fallback: () => stored.get('cookieFallback') ?? null }
  const script: Script =
    sdk === thirteen ? byThirteen(loadSdk(window), her, around) : byNewest(loadNewestSdk(window), her, around)
  return { script, window }
}

describe.each(cases)('D-02 by $sdk, $how', (given) => {
  const nowhere = 'http://localhost:1'
  const titles = openPage(given, nowhere, nowhere).script.chapters.map(({ title }) => title)
  let page: ReturnType<typeof openPage>
  beforeAll(() => {
    page = openPage(given, url, net.at('site.test').replace(/\/$/, ''))
  })

  test.each(titles)(
    '%s',
    async (title) => {
      const chapter = page.script.chapters.find((each) => each.title === title)
      expect(await chapter?.play()).toEqual(chapter?.comesTo)
    },
    patience,
  )

  test('SDK-09 a provider is a redirect of the whole page', async () => {
    for (const leave of page.script.leaving) {
      leave()
      const { pathname } = new URL(page.window.location.href)
      expect(pathname).toMatch(/^\/v1\/account\/(sessions|tokens)\/oauth2\/google$/)
      const answer = await fetch(page.window.location.href, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? '')
      expect(back.pathname).toBe('/sign-in')
      expect(back.searchParams.get('error')).toContain('project_provider_disabled')
    }
  })

  test('every method of the SDK was called', () => {
    expect(page.script.uncalled()).toEqual([])
  })
})
