/** The window sends cookies only if the page has the server's origin. */
import sharp from 'sharp'
import { WebSocket } from 'ws'

export function createFakeBrowserWindow(server: string, origin: string) {
  const stored = new Map<string, string>()
  const cookies = new Map<string, string>()
  const ours = new URL(origin).origin === new URL(server).origin
  const cookie = () => (ours ? [...cookies].map((pair) => pair.join('=')).join('; ') : '')
  const window = {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    location: { href: `${origin}/`, host: new URL(origin).host },
    console: { warn: () => {}, error: () => {}, log: () => {} },
    setTimeout,
    setInterval,
    clearInterval,
    async fetch(address: string, options: RequestInit): Promise<Response> {
      const headers = new Headers(options.headers)
      if (options.method !== 'GET' || !ours) headers.set('origin', origin)
      if (ours) headers.set('cookie', cookie())
      const answer = await fetch(address, { ...options, headers })
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
    WebSocket: class extends WebSocket {
      constructor(address: string) {
        super(address, { headers: { origin, ...(ours ? { cookie: cookie() } : {}) } })
      }
    },
  }
  /**
   * Shows an image, sending only cookies, as for an `<img>`.
   * @returns `width×height`, or `nothing` if refused
   */
  const show = async (address: string): Promise<string> => {
    const answer = await fetch(address, { headers: { cookie: cookie() } })
    if (!answer.ok) return 'nothing'
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    return `${width}×${height}`
  }
  return { window, stored, show }
}
