type Send = (request: Request) => Promise<Response>

export function createUploadRequestClass(send: Send): typeof XMLHttpRequest {
  class UploadRequestDouble {
    readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
    readonly #abort = new AbortController()
    readonly #headers = new Headers()
    #method = 'GET'
    #url = ''
    onload: (() => void) | null = null
    onerror: (() => void) | null = null
    onabort: (() => void) | null = null
    onloadend: (() => void) | null = null
    status = 0
    responseText = ''

    open(method: string, url: string): void {
      this.#method = method
      this.#url = url
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }

    abort(): void {
      this.#abort.abort()
      this.onabort?.()
      this.onloadend?.()
    }

    async send(body: FormData): Promise<void> {
      const { signal } = this.#abort
      const file = body.get('file')
      if (file instanceof File) this.upload.onprogress?.({ loaded: file.size })
      try {
        const url = new URL(this.#url, location.origin)
        const request = new Request(url, { method: this.#method, headers: this.#headers, body, signal })
        const response = await send(request)
        this.status = response.status
        this.responseText = await response.text()
        if (!signal.aborted) this.onload?.()
      } catch {
        if (!signal.aborted) this.onerror?.()
      }
      if (!signal.aborted) this.onloadend?.()
    }
  }
  return UploadRequestDouble as unknown as typeof XMLHttpRequest
}
