import type { LoadBalancer } from './load-balancer.ts'
import { findFreePort, type RunningServer, startServer } from './server-process.ts'

export type TwoNodeCluster = {
  urls: string[]
  /**
   * Waits until the load balancer uses the node again.
   * @returns the exit code of the old process
   */
  restart(index: number, balancer: LoadBalancer): Promise<number | null>
  stop(): Promise<void>
}

/** @param env for both nodes @param dataDir the shared disk */
export async function startTwoNodeCluster(
  env: Record<string, string>,
  dataDir: string,
): Promise<TwoNodeCluster> {
  const ports = [await findFreePort(), await findFreePort()]
  const start = (port: number) => startServer({ dataDir, env: { ...env, PORT: String(port) } })
  const nodes: RunningServer[] = []
  for (const port of ports) nodes.push(await start(port))
  // A load balancer may try both the IPv4 and the IPv6 address of a name.
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
