/** P22: how long content stays visible after a block, a removed follower or group member, or a hidden photo. */
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { WebSocket } from 'ws'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { buildAppwriteRealtimeUrl, buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, removeFollowerOperation, updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { tagPersonOperation, withholdPhotoOperation } from '#contract/photo-tags/photo-tags.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { findChromium } from '#scripts/find-chromium.ts'
import { type CachingProxy, startCachingProxy } from '#scripts/harness/caching-proxy.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  epochMilliseconds,
  listPictureUrls,
  pause,
  pollPicturesInPage,
  pollPicturesThroughProxy,
} from '../environment/poll-until-pictures-refused.ts'
import { startProductServer } from '../environment/start-processes.ts'
import {
  browseBackAndForwardBetweenSites,
  browseBackAndForwardWithinSite,
  openPageAndWaitUntilShown,
  openPictureUrlThenAnotherSite,
  startVisibilityWatchInPage,
  visibilityTimeoutMs,
  type WatchedContent,
  waitForLastSeenTime,
} from '../environment/watch-page-visibility.ts'
import type { BenchmarkDefinition, BenchmarkResult } from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const mostMilliseconds = 1_000
const password = 'una clave larga de banco'

const ways = ['block', 'private', 'group', 'hidden'] as const
type Way = (typeof ways)[number]

type Scene = {
  way: Way
  author: MemberClient
  postId: string
  list: string
  pages: { path: string; watched: WatchedContent }[]
  watched: WatchedContent
  pictureIds: string[]
  subjectId: string
  act(): Promise<unknown>
}

/** Milliseconds after the response to the revocation. */
type Round = { way: Way; sockets: number; pages: number; browser: number; proxy: number; history: number }

export const accessRevocationLatencyBenchmark: BenchmarkDefinition = {
  goals: ['P22'],
  async run() {
    await using server = await startProductServer(null)
    await using proxy = await startCachingProxy(server.url)
    await using browser = await chromium.launch({
      executablePath: findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      // Members' browsers use the back/forward cache, too.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const reader = await joinAs(server.url, 'lectora')
    // Two devices, because the browser does not cache pages that communicate with other tabs.
    const [desktop, phone] = [await signedIn(browser, proxy, reader), await signedIn(browser, proxy, reader)]
    const measured: Round[] = []
    let restored = 0
    for (let round = 0; round < rounds; round += 1) {
      const way = ways[round % ways.length] as Way
      const scene = await setScene(server.url, way, round, reader)
      const { wasRestored, ...figures } = await measureRound(scene, reader, proxy, desktop, phone)
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
    finding('sockets', 'all three sockets were notified'),
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
  await context.addInitScript(startVisibilityWatchInPage)
  return context
}

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

  const posts: WatchedContent = { words: [caption], files: [imageId] }
  const [postPage, profile] = [`/posts/${post.$id}`, `/profile/${author.id}`]
  const of = (watched: WatchedContent, ...paths: string[]) => paths.map((path) => ({ path, watched }))
  const shared = { way, author, postId: post.$id }
  const ofPost = {
    ...shared,
    list: '/',
    pages: of(posts, '/', profile, postPage),
    watched: posts,
    pictureIds: [imageId],
    subjectId: post.$id,
  }
  if (group) {
    const list = `/groups/${group.$id}`
    return {
      ...shared,
      list,
      pages: of(posts, '/', list, postPage),
      watched: posts,
      pictureIds: [imageId],
      subjectId: group.$id,
      act: () => author.call(removeGroupMemberOperation, { groupId: group.$id, memberId: reader.id }),
    }
  }
  if (way === 'hidden') {
    const named = await joinAs(url, 'retratada')
    await named.call(followOperation, { personId: author.id })
    const photo = { postId: post.$id, imageId }
    await author.call(tagPersonOperation, { ...photo, personId: named.id, x: 0.5, y: 0.5 })
    return { ...ofPost, act: () => named.call(withholdPhotoOperation, photo) }
  }
  if (way === 'private') {
    await author.call(updatePrivacySettingsOperation, { isPrivate: true })
    return { ...ofPost, act: () => author.call(removeFollowerOperation, { personId: reader.id }) }
  }
  const conversation = await author.call(openConversationOperation, { personId: reader.id })
  await author.call(sendMessageOperation, { conversationId: conversation.$id, content: 'Hola' })
  const everything: WatchedContent = { words: [caption, author.name], files: [imageId, photo] }
  return {
    ...shared,
    list: '/',
    pages: [
      ...of(everything, '/', profile, postPage),
      // The messages still show the name, but not the photo.
      ...of({ words: [], files: [photo] }, `/chat/${conversation.$id}`),
    ],
    watched: everything,
    pictureIds: [imageId, photo],
    subjectId: author.id,
    act: () => author.call(blockMemberOperation, { personId: reader.id }),
  }
}

async function measureRound(
  scene: Scene,
  reader: MemberClient,
  proxy: CachingProxy,
  desktop: BrowserContext,
  phone: BrowserContext,
): Promise<Omit<Round, 'way'> & { wasRestored: boolean }> {
  const addresses = scene.pictureIds.flatMap(listPictureUrls)
  const frames = await listenEverywhere(desktop, reader, proxy, scene.subjectId)
  const open: Page[] = []
  for (const { path, watched } of scene.pages)
    open.push(await openPageAndWaitUntilShown(desktop, path, watched))
  const within = await browseBackAndForwardWithinSite(desktop, scene)
  const between = await browseBackAndForwardBetweenSites(phone, scene, proxy)
  const alone = await openPictureUrlThenAnotherSite(desktop, addresses[0] ?? '', proxy)
  const requester = await desktop.newPage()
  await requester.goto('/settings')
  const browserCache = await pollPicturesInPage(requester, addresses)
  const throughProxy = pollPicturesThroughProxy(reader, proxy, addresses)

  await scene.act()
  const answered = epochMilliseconds()
  const after = (moment: number) => Math.max(0, moment - answered)
  // Parallel pages would load the machine.
  const history = [await within.goBackAndForward(), await between.goBackAndForward(), await alone.goBack()]
  const pages = Math.max(...(await Promise.all(open.map((page) => waitForLastSeenTime(page)))))
  const subjectId = await frames.received()
  const figures = {
    sockets: after(subjectId),
    pages: after(pages),
    browser: after(await browserCache.refused(answered)),
    proxy: after(await throughProxy.refused(answered)),
    history: after(Math.max(...history)),
    wasRestored: await between.wasRestored(),
  }
  for (const context of [desktop, phone]) for (const page of context.pages()) await page.close()
  return figures
}

/** Listens on the device's socket, and on two of the Appwrite API through the proxy. */
async function listenEverywhere(
  device: BrowserContext,
  reader: MemberClient,
  proxy: CachingProxy,
  subjectId: string,
) {
  const received = new Map<string, number>()
  const listen = (name: string, text: string) => {
    if (text.includes(subjectId) && text.includes('delete') && !received.has(name))
      received.set(name, epochMilliseconds())
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
    async received(): Promise<number> {
      const began = epochMilliseconds()
      while (received.size < 3 && epochMilliseconds() - began < visibilityTimeoutMs) await pause(5)
      for (const socket of sockets) socket.close()
      device.off('page', onPage)
      return received.size < 3 ? Number.POSITIVE_INFINITY : Math.max(...received.values())
    },
  }
}
