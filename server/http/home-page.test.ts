import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { listPagePrefetchPaths, memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { streamHomePage } from './home-page.ts'
import { createPageResponsesReader } from './page-responses.ts'

const paths = [sessionPrefetchPath, memberPrefetchPath, ...listPagePrefetchPaths('/')]
const navigation = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: 'text/html' }

function responsesIn(page: string): Record<string, unknown> | null {
  const [, json] = /<script type="application\/json" id="answers">(.*?)<\/script>/s.exec(page) ?? []
  return json === undefined ? null : JSON.parse(json)
}

describe('the page of Home', () => {
  let w: TestWorld
  let ana: MemberClient
  let bea: MemberClient
  beforeAll(async () => {
    w = await createTestWorld()
    ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    const imageId = await bea.upload(await createJpeg())
    await bea.call(createPostOperation, {
      caption: '</script><b>Hola & "adiós"',
      location: 'Lima',
      tags: [],
      imageId,
    })
    await ana.call(followOperation, { personId: bea.id })
  })
  afterAll(() => w.end())

  const home = (
    who: Pick<MemberClient, 'request'>,
    headers: Record<string, string> = navigation,
    url = '/',
  ) => who.request('GET', url, undefined, headers)
  /** On a busy machine, pages do without responses for some seconds after late ones. */
  const homeWithResponses = (who: Pick<MemberClient, 'request'>) =>
    vi.waitFor(
      async () => {
        const answer = await home(who)
        expect(responsesIn(bodyOf(answer))).not.toBeNull()
        return answer
      },
      { timeout: 60_000, interval: 500 },
    )
  const bodyOf = ({ raw }: { raw: Buffer }) => raw.toString()

  test('a member’s page contains the responses of the API and the first photo', async () => {
    const answer = await homeWithResponses(ana)
    const carried = responsesIn(bodyOf(answer))
    expect(Object.keys(carried ?? {})).toEqual(paths)
    for (const path of paths) {
      const { body } = await ana.request('GET', `/v1${path}`)
      expect(carried?.[path]).toEqual(body)
    }
    expect(bodyOf(answer)).toMatch(/<img src="\/v1\/files\/\w+\/content\?width=640"/)
    // After the style sheet, this script would block the parser until the style sheet has loaded.
    const blocking = bodyOf(answer).indexOf('<script src="/assets/before-first-paint-')
    expect(blocking).toBeGreaterThan(0)
    expect(blocking).toBeLessThan(bodyOf(answer).indexOf('rel="stylesheet"'))
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers.vary).toContain('Cookie')
    expect(answer.headers.vary).toContain('Sec-Fetch-Dest')
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.headers['server-timing']).toContain('member')
    // If responses were also preloaded, the browser would request them again.
    expect(answer.headers.link).not.toContain('/v1/')
  })

  test('each member’s page contains only their own responses, and posts of a group only for its members', async () => {
    const carla = await w.join('Carla')
    const groupId = await createGroupWithMembers(bea, ana)
    const imageId = await bea.upload(await createJpeg())
    const post = { caption: 'Solo para el grupo', location: 'Lima', tags: [], imageId, groupId }
    await bea.call(createPostOperation, post)
    expect(bodyOf(await homeWithResponses(ana))).toContain('Solo para el grupo')
    const page = bodyOf(await homeWithResponses(carla))
    expect(responsesIn(page)).toMatchObject({ '/me': { $id: carla.id }, '/feed': { documents: [] } })
    expect(page).not.toContain('adiós')
    expect(page).not.toContain('Solo para el grupo')
    expect(page).not.toContain('<img')
  })

  test('a visitor, a former member and a blocked reader get no data of bea’s', async () => {
    const dora = await w.join('Dora')
    await dora.call(followOperation, { personId: bea.id })
    expect(bodyOf(await homeWithResponses(dora))).toContain('adiós')
    await bea.call(blockMemberOperation, { personId: dora.id })
    expect(bodyOf(await homeWithResponses(dora))).not.toContain('adiós')
    await dora.request('DELETE', '/v1/account/sessions/current')
    for (const who of [w.visitor, dora]) {
      const answer = await home(who)
      expect(answer.status).toBe(200)
      expect(responsesIn(bodyOf(answer))).toBeNull()
      expect(bodyOf(answer)).not.toContain('data-home-splash')
    }
  })

  test('scripts, the service worker and other pages get the page without responses', async () => {
    const requests = [
      home(ana, { 'sec-fetch-dest': 'empty' }),
      home(ana, {}),
      home(ana, navigation, '/explore'),
      ana.request('HEAD', '/', undefined, navigation),
    ]
    for (const answer of await Promise.all(requests)) {
      expect(answer.status).toBe(200)
      expect(responsesIn(bodyOf(answer))).toBeNull()
    }
  })
})

describe('responses that fail or are late', () => {
  const requestOf = (memberId: number) =>
    ({
      method: 'GET',
      url: '/',
      headers: navigation,
      socket: { remoteAddress: '127.0.0.1' },
      caller: { member: { id: memberId } },
    }) as never
  const [anasRequest, beasRequest, carlasRequest] = [requestOf(1), requestOf(2), requestOf(3)]

  const appThatAnswers = (answer: (url: string) => Promise<{ statusCode: number; body: string }>) =>
    ({ inject: ({ url }: { url: string }) => answer(url) }) as never

  test('one refused response leaves the page without responses', async () => {
    const app = appThatAnswers(async (url) => ({ statusCode: url === '/v1/feed' ? 503 : 200, body: '{}' }))
    expect(await createPageResponsesReader(app).read(anasRequest)).toBeNull()
  })

  test('a failure leaves the page without responses', async () => {
    const app = appThatAnswers(() => Promise.reject(new Error('The server is closing')))
    expect(await createPageResponsesReader(app).read(anasRequest)).toBeNull()
  })

  describe('by a fake clock', () => {
    beforeAll(() => void vi.useFakeTimers())
    afterAll(() => void vi.useRealTimers())

    /** Answers each page in time or too late, as `speed` says. */
    function createReader() {
      const speed = { late: false }
      const inTime = async () => ({ statusCode: 200, body: '{}' })
      const reader = createPageResponsesReader(
        appThatAnswers(() => (speed.late ? new Promise(() => {}) : inTime())),
        { maxWaitMs: 400, pauseMs: 5000 },
      )
      const read = async (one: never, late: boolean) => {
        speed.late = late
        const reading = reader.read(one)
        if (late) await vi.advanceTimersByTimeAsync(400)
        expect((await reading) === null).toBe(late)
      }
      return { reader, read }
    }

    test('ana’s late responses leave only her pages without responses, for five seconds', async () => {
      const { reader, read } = createReader()
      expect(reader.wants(anasRequest)).toBe(true)
      await read(anasRequest, true)
      expect(reader.wants(anasRequest)).toBe(false)
      expect(reader.wants(beasRequest)).toBe(true)
      await vi.advanceTimersByTimeAsync(4999)
      expect(reader.wants(anasRequest)).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(reader.wants(anasRequest)).toBe(true)
    })

    test('ana’s pages are late again and again, and bea’s still contain responses', async () => {
      const { reader, read } = createReader()
      for (let round = 0; round < 3; round += 1) {
        await read(anasRequest, true)
        expect(reader.wants(beasRequest)).toBe(true)
        await vi.advanceTimersByTimeAsync(5000)
      }
    })

    test('late responses of two members in a row leave all pages without responses for five seconds', async () => {
      const { reader, read } = createReader()
      await read(anasRequest, true)
      await read(beasRequest, true)
      expect(reader.wants(carlasRequest)).toBe(false)
      await vi.advanceTimersByTimeAsync(5000)
      expect(reader.wants(carlasRequest)).toBe(true)
    })

    test('carla’s timely responses between two late ones leave her pages with responses', async () => {
      const { reader, read } = createReader()
      await read(anasRequest, true)
      await read(carlasRequest, false)
      await read(beasRequest, true)
      expect(reader.wants(carlasRequest)).toBe(true)
      expect(reader.wants(anasRequest)).toBe(false)
      expect(reader.wants(beasRequest)).toBe(false)
    })
  })
})

test('a page whose responses failed ends like the built page, with an empty splash', async () => {
  const page = '<html><body><div id="root"><i></i></div>\n<noscript>x</noscript></body></html>'
  expect(await text(streamHomePage(page, '<p><!--photo--></p>', async () => null))).toBe(
    page.replace('<i></i>', '<p></p>'),
  )
})

test('no text of a response can end the script element or an attribute', async () => {
  const page = '<html><head></head><body><div id="root"><i></i></div>\n<noscript>x</noscript></body></html>'
  const random = seededRandom(234)
  const parts = [
    '</script>',
    '<!--',
    '<script>',
    '"',
    "'",
    '&',
    '>',
    '\\',
    '\u2028',
    '$&',
    '$`',
    '</body>',
    'ñ',
  ]
  const anyText = () => Array.from({ length: 1 + random(8) }, () => parts[random(parts.length)]).join('')
  for (let round = 0; round < 500; round += 1) {
    const image = { id: anyText(), url: '', width: 3000, height: 4000, thumbhash: '' }
    const post = { creator: { name: anyText() }, caption: anyText(), image, group: null }
    const given: Record<string, unknown> = { '/me': { name: anyText() }, '/feed': { documents: [post] } }
    const responses = new Map(Object.entries(given).map(([path, body]) => [path, JSON.stringify(body)]))
    const html = await text(
      streamHomePage(page, '<p data-home-splash><!--photo--></p>', async () => responses),
    )
    expect(responsesIn(html)).toEqual(given)
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toMatch(/<span data-crop="tall"><img( [a-z]+="[^"<>]*")+><\/span><\/p><\/div>/)
  }
})
