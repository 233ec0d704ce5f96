import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type FlakyProxy = {
  port: number
  /** The server's port changes when it restarts. */
  leadTo(port: number): void
  /** Stops new faults. Half-open connections remain. */
  calm(): void
  readonly faults: { cut: number; halfOpen: number }
  close(): Promise<void>
}

type Options = {
  random: () => number
  faultEvery: number
  /** Milliseconds until a half-open connection breaks. Null lasts until one side gives up. */
  halfOpenFor: () => number | null
}

const longestDelay = 20

export async function startFlakyProxy({ random, faultEvery, halfOpenFor }: Options): Promise<FlakyProxy> {
  const lines = new Set<Line>()
  const faults = { cut: 0, halfOpen: 0 }
  let target = 0
  let calm = false

  const server = createServer({ noDelay: true }, (client) => {
    const line = createLine(client, connect({ port: target, host: 'localhost', noDelay: true }), () =>
      calm ? 0 : random() * longestDelay,
    )
    lines.add(line)
    line.ended.then(() => lines.delete(line))
  }).listen(0, 'localhost')
  await once(server, 'listening')

  const harm = () => {
    const line = [...lines].filter((one) => !one.silent)[Math.floor(random() * lines.size)]
    if (line && random() < 0.5) {
      faults.cut += 1
      line.cut()
    } else if (line) {
      faults.halfOpen += 1
      line.goSilent()
      const lasting = halfOpenFor()
      if (lasting !== null) setTimeout(line.cut, lasting)
    }
    next = setTimeout(harm, random() * 2 * faultEvery)
  }
  let next = setTimeout(harm, faultEvery)

  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
    },
    calm() {
      calm = true
      clearTimeout(next)
    },
    faults,
    async close() {
      clearTimeout(next)
      for (const line of lines) line.cut()
      server.close()
      await once(server, 'close')
    },
  }
}

type Line = ReturnType<typeof createLine>

function createLine(client: Socket, upstream: Socket, delay: () => number) {
  let silent = false
  const cut = () => {
    client.destroy()
    upstream.destroy()
  }
  const lead = (from: Socket, to: Socket) => {
    // Keeps the order despite the delays.
    let before = Promise.resolve()
    const inTurn = (work: () => void) => {
      const held = new Promise((resolve) => setTimeout(resolve, delay()))
      before = Promise.all([before, held]).then(() => {
        if (!silent) work()
      })
    }
    from.on('data', (bytes) => inTurn(() => to.write(bytes)))
    from.on('end', () => inTurn(() => to.end()))
    from.on('close', () => inTurn(cut))
    from.on('error', () => {})
  }
  lead(client, upstream)
  lead(upstream, client)
  return {
    cut,
    goSilent() {
      silent = true
    },
    get silent() {
      return silent
    },
    ended: new Promise((resolve) => client.once('close', resolve)),
  }
}
