/** Two nodes behind a balancer, for rolling restarts. */
import type { LoadBalancer } from './load-balancer.ts'
import { findFreePort, type RunningServer, startServer } from './server-process.ts'

export type TwoNodeCluster = {
  /** Stable addresses. */
  urls: string[]
  /**
   * Restarts a node and waits until the balancer uses it.
   * @returns its exit code
   */
  restart(index: number, balancer: LoadBalancer): Promise<number | null>
  stop(): Promise<void>
}

/** @param env both nodes' settings @param dataDir the shared disk */
export async function startTwoNodeCluster(
  env: Record<string, string>,
  dataDir: string,
): Promise<TwoNodeCluster> {
  const ports = [await findFreePort(), await findFreePort()]
  const start = (port: number) => startServer({ dataDir, env: { ...env, PORT: String(port) } })
  const nodes: RunningServer[] = []
  for (const port of ports) nodes.push(await start(port))
  // Only 127.0.0.1, because a balancer may try both families of a name.
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  return {
    urls,
    async restart(index, balancer) {
      const code = await (nodes[index] as RunningServer).stop()
      await balancer.waitForRouting(urls[index] as string, false)
      nodes[index] = await start(ports[index] as number)
      await balancer.waitForRouting(urls[index] as string, true)
      return code
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
