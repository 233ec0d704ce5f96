/**
 * One socket per browser (architecture §14.13): the tab that holds the lock has it and tells the others what it hears. When
 * that tab goes, the next one takes over from the position it was told last, so nothing falls between the two.
 */
import { catchUp } from '#contract/routes.ts'
import { call } from './api.ts'
import { connectLive, type LiveNews, type LiveSocket } from './live-socket.ts'

type Said = LiveNews | { type: 'hello' } | { type: 'nudge' }

/** How often a tab that is looked at asks whether the one with the socket is awake. */
const askEvery = 20_000

/** @returns stops hearing, and gives the socket to another tab */
export function shareLive(account: string, hear: (news: LiveNews) => void): () => void {
  const name = `juntas:live:${account}`
  const channel = new BroadcastChannel(name)
  const stopped = new AbortController()
  let socket: LiveSocket | undefined
  let last: LiveNews = { type: 'state', state: 'connecting', position: null }
  let position: string | null = null
  /** Since the last answer. */
  let asked = false

  const take = (news: LiveNews) => {
    if ('position' in news) position = news.position ?? position
    if (news.type === 'state') last = news
    hear(news)
  }

  const lead = () =>
    new Promise<void>((resolve) => {
      if (stopped.signal.aborted) return resolve()
      socket = connectLive({
        url: `${location.origin.replace(/^http/, 'ws')}/v1/realtime`,
        account,
        since: position,
        missedSince: (since) => call(catchUp, { since }),
        tell: (news) => {
          channel.postMessage(news)
          take(news)
        },
      })
      stopped.signal.addEventListener('abort', () => {
        socket?.close()
        resolve()
      })
    })

  // Without a secure context there are no locks: then every tab has a socket of its own.
  const queue = () => {
    if (!navigator.locks) return void lead()
    navigator.locks.request(name, { signal: stopped.signal }, lead).catch(replaced)
  }

  /** Another tab took the lock while this one slept. */
  const replaced = () => {
    if (!socket || stopped.signal.aborted) return
    socket.close()
    socket = undefined
    queue()
  }

  /** A tab that the browser put to sleep keeps the lock and answers nothing: one that she looks at takes its place. */
  const ask = () => {
    if (socket || document.visibilityState === 'hidden') return
    if (asked) navigator.locks.request(name, { steal: true }, lead).catch(replaced)
    else channel.postMessage({ type: 'hello' } satisfies Said)
    asked = !asked
  }

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.type === 'hello') socket && channel.postMessage(last)
    else if (data.type === 'nudge') socket?.nudge()
    else {
      asked = false
      take(data)
    }
  }
  channel.postMessage({ type: 'hello' } satisfies Said)

  queue()
  const asking = setInterval(ask, askEvery)

  const nudge = () => {
    if (document.visibilityState === 'hidden') return
    if (socket) socket.nudge()
    else channel.postMessage({ type: 'nudge' } satisfies Said)
  }
  addEventListener('online', nudge)
  document.addEventListener('visibilitychange', nudge)

  return () => {
    removeEventListener('online', nudge)
    document.removeEventListener('visibilitychange', nudge)
    clearInterval(asking)
    stopped.abort()
    channel.close()
  }
}
