/** Two nodes behind a balancer, restarted one after the other as an upgrade does it. */
import type { LoadBalancer } from './load-balancer.ts'
import { findFreePort, type RunningServer, startServer } from './server-process.ts'

export type TwoNodeCluster = {
  /** Addresses that stay while the processes behind them change. */
  urls: string[]
  /**
   * Stops one node as a service manager does, starts it again, and waits until the balancer gives it requests.
   * @returns its exit code
   */
  restart(index: number, balancer: LoadBalancer): Promise<number | null>
  stop(): Promise<void>
}

/** @param env the settings of both @param dataDir the disk they share */
export async function startTwoNodeCluster(
  env: Record<string, string>,
  dataDir: string,
): Promise<TwoNodeCluster> {
  const ports = [await findFreePort(), await findFreePort()]
  const start = (port: number) => startServer({ dataDir, env: { ...env, PORT: String(port) } })
  const nodes: RunningServer[] = []
  for (const port of ports) nodes.push(await start(port))
  // 127.0.0.1 alone: a balancer that is given a name may try both families.
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
