/** Only the fallback works on another site. The script is in tests/appwrite/sdk. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import type { SdkPageGlobals as SdkPage } from '#tests/appwrite/sdk/browser-entry.ts'
import { createSdkOutsideWorld } from '#tests/appwrite/sdk/outside-world.ts'
import type { SdkOutsideWorld, SdkScriptStep, SdkTestUser } from '#tests/appwrite/sdk/sdk-test-script.ts'
import { publishedAppwriteOperations } from '#tests/support/find-appwrite-model-problems.ts'
import { expect, signUpFormFixture, test } from './fixtures.ts'
import { recordResponses } from './record-sdk-responses.ts'

declare global {
  var story: ReturnType<SdkPage['open']>
}

let pages: Server
let api: RunningServer
let sdks: string
test.beforeAll(async () => {
  pages = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  )
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  api = await startServer({
    durable: false,
    env: {
      ALLOWED_ORIGINS: [originOf('localhost'), originOf('127.0.0.1')].join(','),
      ALIAS_PROJECT: 'old-app',
    },
  })
  sdks = await packed()
})
test.afterAll(async () => {
  await api?.stop()
  pages?.closeAllConnections()
  pages?.close()
})

const originOf = (host: string) => `http://${host}:${(pages.address() as AddressInfo).port}`

async function packed(): Promise<string> {
  const entry = fileURLToPath(new URL('../appwrite/sdk/browser-entry.ts', import.meta.url))
  const { NODE_ENV } = process.env
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    build: { lib: { entry, formats: ['iife'], name: 'sdkPage' }, write: false, minify: false },
  })) as Rolldown.RolldownOutput[]
  // Bundling sets NODE_ENV to production, which later servers must not inherit.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  return built[0]?.output[0].code ?? ''
}

/** These calls never succeed here: the member has no identity, and the server can reach no site. */
const unreached = ['DELETE /account/identities/{}', 'GET /avatars/favicon', 'GET /avatars/image']
const shownByAddress = [
  ...['browsers/{}', 'credit-cards/{}', 'flags/{}', 'qr'].map((path) => `GET /avatars/${path}`),
  ...['download', 'preview', 'view'].map((what) => `GET /storage/buckets/{}/files/{}/${what}`),
]
const all = { pictures: true, icons: true }
const places = [
  {
    place: 'a page of ours',
    project: 'juntas',
    origin: () => api.url,
    shows: all,
    cookie: true,
    keepsFallback: false,
    unserved: unreached,
  },
  {
    place: 'a page of the same site, another origin',
    project: 'juntas',
    origin: () => originOf('localhost'),
    shows: all,
    cookie: true,
    keepsFallback: true,
    unserved: unreached,
  },
  {
    place: 'a page of another site with its own project',
    project: 'old-app',
    origin: () => originOf('127.0.0.1'),
    shows: { pictures: false, icons: false },
    cookie: false,
    keepsFallback: true,
    unserved: [...unreached, ...shownByAddress].sort(),
  },
]

test.use({ fresh: true })
// All tests share one worker, with its server and browser.
test.describe.configure({ mode: 'default' })

for (const sdk of ['13.0.2', 'newest'] as const) {
  for (const { place, project, origin, shows, cookie, keepsFallback, unserved } of places) {
    test(`SDK-01…SDK-15 ${sdk} on ${place}: a member calls every supported operation`, async ({
      context,
      page,
    }) => {
      test.setTimeout(300_000)
      const { username, email, name, password } = signUpFormFixture('Ana')
      const phone = `+346${String(process.hrtime.bigint()).slice(-8)}`
      const her: SdkTestUser = {
        ...{ endpoint: `${api.url}/v1`, username, email, name, password, phone },
        ...{ project, shows, keepsFallback, site: null },
      }
      const transport = createHttpTransport(api.url)
      const peer = createSdkOutsideWorld(
        createApiClient(transport, ''),
        await signUpAndSignIn(transport, signUpFormFixture('Nora')),
      )
      await context.exposeFunction('askOutside', (what: keyof SdkOutsideWorld, ...given: [string, string]) =>
        (peer[what] as (...given: string[]) => Promise<unknown>)(...given),
      )
      await context.addInitScript({ content: sdks })
      const answers = recordResponses(context, api.url)

      const enter = async () => {
        await page.goto(`${origin()}/v1/ping`)
        await page.evaluate(
          ([sdk, her]) => {
            globalThis.story = sdkPage.open(sdk, her)
          },
          [sdk, her] as const,
        )
      }
      await enter()
      const chapters = await page.evaluate(() =>
        story.chapters.map(({ title, comesTo }) => ({ title, comesTo })),
      )
      const cookies = new Set<string>()
      for (const [number, { title, comesTo }] of chapters.entries()) {
        await test.step(title, async () => {
          const cameTo = await page.evaluate(
            (number) => (story.chapters[number] as SdkScriptStep).play(),
            number,
          )
          expect(cameTo, title).toEqual(comesTo)
        })
        for (const { name } of await context.cookies(api.url)) cookies.add(name)
      }
      expect(cookies.has('a_session_juntas')).toBe(cookie)
      await answers.read()

      const uncalled = new Set(await page.evaluate(() => story.uncalled()))
      const leaving = await page.evaluate(() => story.leaving.length)
      for (let number = 0; number < leaving; number += 1) {
        if (number > 0) await enter()
        const recognised = page.waitForResponse(`${api.url}/v1/me/session`)
        const called = await page.evaluate((number) => {
          story.leaving[number]?.()
          return story.calls.at(-1) ?? ''
        }, number)
        uncalled.delete(called)
        await page.waitForURL(/\/sign-in\?error=/)
        expect(decodeURIComponent(page.url())).toContain('project_provider_disabled')
        await recognised
        await answers.read()
      }
      expect([...uncalled]).toEqual([])
      expect([...answers.problems], 'answers that differ from the published description').toEqual([])
      expect(
        Object.keys(publishedAppwriteOperations)
          .filter((call) => !answers.served.has(call))
          .sort(),
      ).toEqual(unserved)
    })
  }
}
