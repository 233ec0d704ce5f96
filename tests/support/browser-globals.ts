import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, vi } from 'vitest'

class MemoryStorage {
  #kept = new Map<string, string>()
  getItem(key: string) {
    return this.#kept.get(key) ?? null
  }
  setItem(key: string, value: string) {
    this.#kept.set(key, value)
  }
  removeItem(key: string) {
    this.#kept.delete(key)
  }
  clear() {
    this.#kept.clear()
  }
}

/** Each test gets empty local storage. `answer` handles requests to the page's origin. */
export function setupBrowserWithServer() {
  const at = { answer: ((_, response) => response.end()) as RequestListener, close: () => {} }

  beforeEach(async () => {
    const server = createServer((request, response) => at.answer(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const fetchAbsolute = globalThis.fetch
    vi.stubGlobal('localStorage', new MemoryStorage())
    vi.stubGlobal('sessionStorage', new MemoryStorage())
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetchAbsolute(new URL(path, origin), init))
    at.close = () => {
      server.closeAllConnections()
      server.close()
    }
  })

  afterEach(() => {
    at.close()
    vi.unstubAllGlobals()
  })

  return at
}
