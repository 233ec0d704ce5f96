/** Runs the unmodified official SDKs, as our own page with cookies and as a foreign page with fallback storage. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { type FakeInternet, startFakeInternet } from '#tests/doubles/fake-internet.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { createFakeBrowserWindow } from './sdk/fake-browser-window.ts'
import { loadNewestSdk, loadSdk } from './sdk/load-sdk.ts'
import { createNewestSdkScript } from './sdk/newest-sdk-script.ts'
import { createSdkOutsideWorld } from './sdk/outside-world.ts'
import { createSdk13Script } from './sdk/sdk-13-script.ts'
import type {
  SdkOutsideWorld,
  SdkScriptEnvironment,
  SdkTestScript,
  SdkTestUser,
} from './sdk/sdk-test-script.ts'

let net: FakeInternet
let w: TestWorld
let peer: SdkOutsideWorld
let url: string
beforeAll(async () => {
  net = await startFakeInternet()
  w = await createTestWorld({ ALIAS_PROJECT: oldProject }, net.reach)
  peer = createSdkOutsideWorld(w.visitor, await w.join('Nora'))
  await w.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(w.app.server.address() as AddressInfo).port}`
  const picture = await createPng()
  for (const path of ['/picture.png', '/favicon.ico']) {
    net.serve(path, (_, response) => response.setHeader('content-type', 'image/png').end(picture))
  }
  net.serve('/', (_, response) => response.end('<p>'))
})
afterAll(async () => {
  await w.end()
  await net.end()
})

const oldProject = '64f0c0ffee'

const [thirteen, newest] = ['13.0.2', 'the newest SDK']
const [cookie, fallback] = ['with a cookie', 'from another origin with the fallback and its own project']
const cases = [
  { sdk: thirteen, how: cookie },
  { sdk: thirteen, how: fallback },
  { sdk: newest, how: cookie },
  { sdk: newest, how: fallback },
].map((each, number) => ({ ...each, number }))

function openPage({ sdk, how, number }: (typeof cases)[number], server: string, site: string) {
  const keepsFallback = how === fallback
  const { window, stored, show } = createFakeBrowserWindow(
    server,
    keepsFallback ? 'http://localhost:5999' : server,
  )
  const her: SdkTestUser = {
    endpoint: `${server}/v1`,
    project: keepsFallback ? oldProject : 'juntas',
    name: 'Ana',
    username: `ana.${number}`,
    email: `ana.${number}@sdk.test`,
    phone: `+3460000000${number}`,
    password: testPassword,
    shows: { pictures: !keepsFallback, icons: !keepsFallback },
    keepsFallback,
    site,
  }
  const around: SdkScriptEnvironment = { ...peer, show, fallback: () => stored.get('cookieFallback') ?? null }
  const script: SdkTestScript =
    sdk === thirteen
      ? createSdk13Script(loadSdk(window), her, around)
      : createNewestSdkScript(loadNewestSdk(window), her, around)
  return { script, window }
}

describe.each(cases)('by $sdk, $how', (given) => {
  const nowhere = 'http://localhost:1'
  const titles = openPage(given, nowhere, nowhere).script.chapters.map(({ title }) => title)
  let page: ReturnType<typeof openPage>
  beforeAll(() => {
    page = openPage(given, url, net.at('site.test').replace(/\/$/, ''))
  })

  test.each(titles)('%s', async (title) => {
    const chapter = page.script.chapters.find((each) => each.title === title)
    expect(await chapter?.play()).toEqual(chapter?.comesTo)
  })

  test('SDK-09 a provider sign-in redirects the whole page', async () => {
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

  test('the script calls every method of the SDK', () => {
    expect(page.script.uncalled()).toEqual([])
  })
})
