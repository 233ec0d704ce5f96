/** Collects the garbage of another process through its inspector (`--inspect`). */
import { once } from 'node:events'
import { WebSocket } from 'ws'

export async function forceGarbageCollection(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
  const inspector = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(inspector, 'open')
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(inspector, 'message')
  inspector.terminate()
  await once(inspector, 'close')
}
