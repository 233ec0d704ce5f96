/**
 * Measures P22: how long after the answer of a block, of a follower's removal from an account made private, or of a member's
 * removal from a group the other still sees what was shared: told by sockets, on open pages, by pictures that a browser and a
 * proxy may have kept, by Back and by Forward.
 */
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { WebSocket } from 'ws'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { buildAppwriteRealtimeUrl, buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { blockMemberOperation } from '#contract/blocks.ts'
import { openConversationOperation, sendMessageOperation } from '#contract/chat/conversations.ts'
import { removeGroupMemberOperation } from '#contract/group-members.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/group-requests.ts'
import { createGroupOperation } from '#contract/groups.ts'
import { followOperation, removeFollowerOperation, updateProfileOperation } from '#contract/people.ts'
import { createPostOperation } from '#contract/posts.ts'
import { updatePrivacySettingsOperation } from '#contract/privacy-settings.ts'
import { findChromium } from '#scripts/chromium.ts'
import { type CachingProxy, startCachingProxy } from '#scripts/harness/caching-proxy.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { startProductServer } from '../environment/start-processes.ts'
import type { BenchmarkDefinition, BenchmarkResult } from '../report/results.ts'

/** By turns of each way in which access is revoked. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const mostMilliseconds = 1_000
/** How long nothing may be seen before a page counts as rid of it. */
const quietMilliseconds = 300
/** What is still seen after so long is given up. */
const patienceMilliseconds = 10_000
/** Between two looks at pictures, and of a tab at itself: the looks must not be what makes the machine busy (ms). */
const betweenLooks = 50
const password = 'una clave larga de banco'

const ways = ['block', 'private', 'group'] as const
type Way = (typeof ways)[number]

/** What must not be seen: words in a text, ids in the address of a picture. */
type Watched = { words: string[]; files: string[] }

/** One round, made ready: whose it is, what is shared, and what takes it away. */
type Scene = {
  way: Way
  author: MemberClient
  postId: string
  /** A page that lists the post and links to it. */
  list: string
  /** Pages that are open, each with what of the author's is on it. */
  pages: { path: string; watched: Watched }[]
  watched: Watched
  pictureIds: string[]
  /** In a frame that says so. */
  told: string
  act(): Promise<unknown>
}

/** Milliseconds after the answer. */
type Round = { way: Way; sockets: number; pages: number; browser: number; proxy: number; history: number }

export const accessRevocationLatencyBenchmark: BenchmarkDefinition = {
  goals: ['P22'],
  async run() {
    await using server = await startProductServer(null)
    await using proxy = await startCachingProxy(server.url)
    await using browser = await chromium.launch({
      executablePath: findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      // Members' browsers keep pages whole for Back.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const reader = await joinAs(server.url, 'lectora')
    // Two devices: pages that others of the same browser talk to are not kept whole.
    const [desk, phone] = [await signedIn(browser, proxy, reader), await signedIn(browser, proxy, reader)]
    const measured: Round[] = []
    let restored = 0
    for (let round = 0; round < rounds; round += 1) {
      const way = ways[round % ways.length] as Way
      const scene = await setScene(server.url, way, round, reader)
      const { wasRestored, ...figures } = await measureRound(scene, reader, proxy, desk, phone)
      measured.push({ way, ...figures })
      restored += Number(wasRestored)
    }
    return describe(measured, restored, proxy)
  },
}

function describe(measured: Round[], restored: number, proxy: CachingProxy): BenchmarkResult[] {
  const { kept, answered } = proxy.counts()
  const finding = (key: Exclude<keyof Round, 'way'>, what: string): BenchmarkResult => {
    const slowest = (some: Round[]) => Math.max(...some.map((round) => round[key]))
    const each = ways.map(
      (way) => `${way} ${slowest(measured.filter((round) => round.way === way)).toFixed(0)}`,
    )
    return {
      goal: 'P22',
      what: `from the answer that revokes access until ${what}, the slowest of ${measured.length}`,
      figure: `${slowest(measured).toFixed(0)} ms`,
      spread: each.join(', '),
      target: `≤ ${mostMilliseconds} ms`,
      met: slowest(measured) <= mostMilliseconds,
    }
  }
  return [
    finding('sockets', 'all three sockets were told'),
    finding('pages', 'no open page shows any of it'),
    finding('browser', 'a browser that has its pictures is refused them'),
    finding(
      'proxy',
      `its pictures are refused through a caching proxy (which kept ${kept} answers and gave ${answered} by itself)`,
    ),
    finding(
      'history',
      `Back and Forward show none of it (${restored} of ${measured.length} pages had been kept whole)`,
    ),
  ]
}

let joined = 0
function joinAs(url: string, name: string): Promise<MemberClient> {
  joined += 1
  const username = `${name}${joined}`
  const email = `${username}@bench.test`
  return signUpAndSignIn(createHttpTransport(url), { name: `${name} ${joined}`, username, email, password })
}

async function signedIn(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  { url }: CachingProxy,
  { cookie }: MemberClient,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 1000 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value: decodeURIComponent(value), url }])
  await context.addInitScript(watchFromWithin)
  return context
}

/** Notes the last moment at which what is watched could be seen in the tab, whatever pages it shows one after the other. */
function watchFromWithin(): void {
  const isShown = ({ words, files }: Watched): boolean => {
    const visible = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true }) ?? false
    for (const image of document.querySelectorAll('img'))
      if (files.some((id) => image.src.includes(id)) && visible(image)) return true
    if (!document.body || words.length === 0) return false
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text
      if (words.some((word) => data.includes(word)) && visible(parentElement)) return true
    }
    return false
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sessionStorage.setItem('restored', 'yes')
  })
  setInterval(() => {
    const watched = sessionStorage.getItem('watched')
    if (watched === null || !isShown(JSON.parse(watched))) return
    sessionStorage.setItem('seen', String(performance.timeOrigin + performance.now()))
  }, 50)
}

const now = () => performance.timeOrigin + performance.now()
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function setScene(url: string, way: Way, round: number, reader: MemberClient): Promise<Scene> {
  const author = await joinAs(url, 'autora')
  const caption = `Secreto de ${way} ${round}.`
  const photo = await author.upload(await createJpeg())
  await author.call(updateProfileOperation, { personId: author.id, imageId: photo })
  const group =
    way === 'group'
      ? await author.call(createGroupOperation, { name: `Grupo ${round}`, description: '' })
      : null
  if (group) {
    const request = await reader.call(requestToJoinOperation, { groupId: group.$id })
    await author.call(approveJoinRequestOperation, { requestId: request.$id })
  }
  const imageId = await author.upload(await createJpeg())
  const groupId = group?.$id
  const post = await author.call(createPostOperation, {
    caption,
    location: 'Vigo',
    tags: [],
    imageId,
    groupId,
  })
  await reader.call(followOperation, { personId: author.id })

  const posts: Watched = { words: [caption], files: [imageId] }
  const [postPage, profile] = [`/posts/${post.$id}`, `/profile/${author.id}`]
  const of = (watched: Watched, ...paths: string[]) => paths.map((path) => ({ path, watched }))
  const shared = { way, author, postId: post.$id }
  if (group) {
    const list = `/groups/${group.$id}`
    return {
      ...shared,
      list,
      pages: of(posts, '/', list, postPage),
      watched: posts,
      pictureIds: [imageId],
      told: group.$id,
      act: () => author.call(removeGroupMemberOperation, { groupId: group.$id, memberId: reader.id }),
    }
  }
  if (way === 'private') {
    await author.call(updatePrivacySettingsOperation, { isPrivate: true })
    return {
      ...shared,
      list: '/',
      pages: of(posts, '/', profile, postPage),
      watched: posts,
      pictureIds: [imageId],
      told: post.$id,
      act: () => author.call(removeFollowerOperation, { personId: reader.id }),
    }
  }
  const talk = await author.call(openConversationOperation, { personId: reader.id })
  await author.call(sendMessageOperation, { conversationId: talk.$id, content: 'Hola' })
  const everything: Watched = { words: [caption, author.name], files: [imageId, photo] }
  return {
    ...shared,
    list: '/',
    pages: [
      ...of(everything, '/', profile, postPage),
      // Messages stay readable under the name of that moment; the photo goes.
      ...of({ words: [], files: [photo] }, `/chat/${talk.$id}`),
    ],
    watched: everything,
    pictureIds: [imageId, photo],
    told: author.id,
    act: () => author.call(blockMemberOperation, { personId: reader.id }),
  }
}

async function measureRound(
  scene: Scene,
  reader: MemberClient,
  proxy: CachingProxy,
  desk: BrowserContext,
  phone: BrowserContext,
): Promise<Omit<Round, 'way'> & { wasRestored: boolean }> {
  const addresses = scene.pictureIds.flatMap(pictureAddresses)
  const frames = await listenEverywhere(desk, reader, proxy, scene.told)
  const open: Page[] = []
  for (const { path, watched } of scene.pages) open.push(await openShowing(desk, path, watched))
  const within = await browseWithin(desk, scene)
  const between = await browseBetweenSites(phone, scene, proxy)
  const alone = await openPictureAlone(desk, addresses[0] ?? '', proxy)
  const asker = await desk.newPage()
  await asker.goto('/settings')
  const browserCache = await askInPage(asker, addresses)
  const throughProxy = askThroughProxy(reader, proxy, addresses)

  await scene.act()
  const answered = now()
  const after = (moment: number) => Math.max(0, moment - answered)
  // One after the other: what all pages do at once is the machine's load, and not what anybody would see.
  const history = [await within.goBackAndForward(), await between.goBackAndForward(), await alone.goBack()]
  const pages = Math.max(...(await Promise.all(open.map((page) => lastSeen(page)))))
  const told = await frames.heard()
  const figures = {
    sockets: after(told),
    pages: after(pages),
    browser: after(await browserCache.refused(answered)),
    proxy: after(await throughProxy.refused(answered)),
    history: after(Math.max(...history)),
    wasRestored: await between.wasRestored(),
  }
  for (const context of [desk, phone]) for (const page of context.pages()) await page.close()
  return figures
}

const pictureAddresses = (id: string): string[] => [
  `/v1/files/${id}/content?width=640`,
  `/v1/files/${id}/content`,
  `/v1/storage/buckets/media/files/${id}/view`,
  `/v1/storage/buckets/media/files/${id}/preview?width=400`,
  `/v1/storage/buckets/media/files/${id}/download`,
]

/** Watches the tab from now on, and waits until it shows what is watched. */
async function waitUntilSeen(page: Page, watched: Watched): Promise<void> {
  await page.evaluate((given) => {
    sessionStorage.removeItem('seen')
    sessionStorage.setItem('watched', given)
  }, JSON.stringify(watched))
  await page.waitForFunction(() => sessionStorage.getItem('seen') !== null)
}

async function openShowing(context: BrowserContext, path: string, watched: Watched): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await waitUntilSeen(page, watched)
  return page
}

/** Waits until nothing has been seen for a while. @returns the last moment at which it was */
async function lastSeen(page: Page): Promise<number> {
  const began = now()
  for (;;) {
    // A page that is being left has no answer.
    const seen = await page.evaluate(() => Number(sessionStorage.getItem('seen'))).catch(() => now())
    if (now() - seen > quietMilliseconds || now() - began > patienceMilliseconds) return seen
    await pause(20)
  }
}

/** The one socket that the device's pages share, and two of the Appwrite dialect through the proxy. */
async function listenEverywhere(
  device: BrowserContext,
  reader: MemberClient,
  proxy: CachingProxy,
  told: string,
) {
  const heard = new Map<string, number>()
  const listen = (name: string, text: string) => {
    if (text.includes(told) && text.includes('delete') && !heard.has(name)) heard.set(name, now())
  }
  const onPage = (page: Page) =>
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => listen('pages', String(payload))),
    )
  device.on('page', onPage)
  const sockets = await Promise.all(
    ['one', 'other'].map(async (name) => {
      const query = new URLSearchParams({ project: 'juntas' })
      for (const collection of ['users', 'posts', 'groupMembers'])
        query.append('channels[]', buildDocumentsChannelName(collection))
      const socket = new WebSocket(`${buildAppwriteRealtimeUrl(proxy.url)}?${query}`, {
        headers: { cookie: reader.cookie },
      })
      await new Promise<void>((resolve, reject) => {
        socket.once('message', () => resolve())
        socket.once('error', reject)
      })
      socket.on('message', (bytes) => listen(name, String(bytes)))
      return socket
    }),
  )
  return {
    /** @returns when the last of the three had heard */
    async heard(): Promise<number> {
      const began = now()
      while (heard.size < 3 && now() - began < patienceMilliseconds) await pause(5)
      for (const socket of sockets) socket.close()
      device.off('page', onPage)
      return heard.size < 3 ? Number.POSITIVE_INFINITY : Math.max(...heard.values())
    },
  }
}

/** Goes a step back or on in the tab's history from within the page, which may be put away by it. */
async function step(page: Page, by: number, address: string): Promise<void> {
  await page.evaluate((by) => void setTimeout(() => history.go(by)), by)
  await page.waitForURL((url) => url.href === address, { waitUntil: 'commit', timeout: patienceMilliseconds })
  await page.getByRole('main').getByRole('heading').first().waitFor()
}

/** List, post and another page in one load; then Back twice and Forward. */
async function browseWithin(context: BrowserContext, { list, postId, watched }: Scene) {
  const page = await openShowing(context, list, watched)
  const from = page.url()
  await page.getByRole('main').locator(`a[href="/posts/${postId}"]`).first().click()
  await page.waitForURL(`**/posts/${postId}`)
  const post = page.url()
  await waitUntilSeen(page, watched)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^People/ })
    .click()
  await page.waitForURL((url) => url.href !== post)
  return {
    async goBackAndForward(): Promise<number> {
      for (const [by, address] of [
        [-1, post],
        [-1, from],
        [1, post],
      ] as const)
        await step(page, by, address)
      return lastSeen(page)
    },
  }
}

/** Another site, the post, and another site; then Back twice and Forward. */
async function browseBetweenSites(context: BrowserContext, { postId, watched }: Scene, proxy: CachingProxy) {
  const elsewhere = `${proxy.url.replace('localhost', '127.0.0.1')}/sign-in`
  const post = `${proxy.url}/posts/${postId}`
  const page = await context.newPage()
  await page.goto(elsewhere)
  await page.goto(post)
  await waitUntilSeen(page, watched)
  await page.goto(elsewhere)
  return {
    async goBackAndForward(): Promise<number> {
      for (const [by, address] of [
        [-1, post],
        [-1, elsewhere],
        [1, post],
      ] as const)
        await step(page, by, address)
      return lastSeen(page)
    },
    wasRestored: () => page.evaluate(() => sessionStorage.getItem('restored') === 'yes'),
  }
}

/** A picture that was opened by itself, and then another site. */
async function openPictureAlone(context: BrowserContext, address: string, proxy: CachingProxy) {
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('img').waitFor()
  await page.goto(`${proxy.url.replace('localhost', '127.0.0.1')}/sign-in`)
  return {
    async goBack(): Promise<number> {
      await page.evaluate(() => void setTimeout(() => history.back()))
      const began = now()
      let seen = 0
      while (now() - began < patienceMilliseconds) {
        const asked = now()
        const shows = await page
          .evaluate(() => [location.pathname, document.images.length > 0, document.body?.innerText] as const)
          .catch(() => null)
        if (shows?.[0] !== new URL(address, proxy.url).pathname) continue
        if (shows[1]) seen = asked
        else if (shows[2]?.includes('storage_file_not_found')) return seen
      }
      return now()
    },
  }
}

/** One look at a picture: when it was asked for, when the answer came, and what it was. */
type Look = [asked: number, answered: number, status: number]

/** @returns the moment after which nothing but refusals came @throws where what was there before cannot have been seen */
function lastShown(looks: readonly Look[], answered: number): number {
  const shown = looks.filter(([, , status]) => status !== 404)
  if (!shown.some(([asked]) => asked < answered)) throw new Error('The pictures were never shown.')
  const late = shown.filter(([asked]) => asked > answered).map(([, came]) => came)
  const firstRefusal = looks.find(([asked, , status]) => asked > answered && status === 404)?.[1]
  return Math.max(firstRefusal ?? Number.POSITIVE_INFINITY, ...late)
}

/** Asks for the pictures over and over as a page does, through the browser's cache. */
async function askInPage(page: Page, addresses: readonly string[]) {
  const looks = page.evaluate(
    async ([addresses, between]) => {
      const looks: Look[] = []
      const clock = () => performance.timeOrigin + performance.now()
      Object.assign(globalThis, { asking: true })
      while ((globalThis as { asking?: boolean }).asking) {
        for (const address of addresses) {
          const asked = clock()
          const answer = await fetch(address)
          await answer.arrayBuffer()
          looks.push([asked, clock(), answer.status])
          await new Promise((resolve) => setTimeout(resolve, between))
        }
      }
      return looks
    },
    [addresses, betweenLooks] as const,
  )
  await pause(addresses.length * 4 * betweenLooks)
  return {
    async refused(answered: number): Promise<number> {
      await page.evaluate(() => void Object.assign(globalThis, { asking: false }))
      return lastShown(await looks, answered)
    },
  }
}

/** Asks as a client without a cache of its own does, by turns with the tag of what it has seen. */
function askThroughProxy(reader: MemberClient, proxy: CachingProxy, addresses: readonly string[]) {
  const client = createApiClient(createHttpTransport(proxy.url), reader.cookie)
  const tags = new Map<string, string>()
  let asking = true
  const ask = async () => {
    const looks: Look[] = []
    while (asking) {
      for (const address of addresses) {
        const tag = tags.get(address)
        const asked = now()
        const { status, headers } = await client.request(
          'GET',
          address,
          undefined,
          tag && looks.length % 2 ? { 'if-none-match': tag } : {},
        )
        looks.push([asked, now(), status])
        if (headers.etag) tags.set(address, headers.etag)
        await pause(betweenLooks)
      }
    }
    return looks
  }
  const looks = ask()
  return {
    async refused(answered: number): Promise<number> {
      asking = false
      return lastShown(await looks, answered)
    },
  }
}
