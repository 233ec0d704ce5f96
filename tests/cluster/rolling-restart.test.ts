/** Fault T23. Full run: `ROLLINGS=20 npm test -- rolling-restart`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoadBalancer, startLoadBalancer } from '#scripts/harness/load-balancer.ts'
import { startMemberTraffic } from '#scripts/harness/traffic-generator.ts'
import { startTwoNodeCluster, type TwoNodeCluster } from '#scripts/harness/two-node-cluster.ts'
import type { Database } from '#server/database/open-database.ts'
import { createTestDatabase } from '../support/database.ts'
import { findBrokenDatabaseInvariants } from '../support/find-broken-invariants.ts'

const rollings = Number(process.env.ROLLINGS ?? 2)
/** Ends a hung test. */
const testTimeoutMs = 600_000 + rollings * 60_000

let dataDir: string
let database: Database
let fleet: TwoNodeCluster
let balancer: LoadBalancer
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'juntas-rolling-'))
  database = await createTestDatabase()
  fleet = await startTwoNodeCluster(
    { DATABASE_URL: database.directUrl, LIMITS: 'off', DRAIN_SECONDS: '2' },
    dataDir,
  )
  balancer = await startLoadBalancer(fleet.urls)
  for (const url of fleet.urls) await balancer.waitForRouting(url, true)
})
afterAll(async () => {
  await balancer.close()
  await fleet.stop()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test(
  'T23 during a rolling restart no request fails, no message is lost and no upload breaks',
  async () => {
    const traffic = await startMemberTraffic(balancer.url, { pairs: 2, readers: 1, uploaders: 1 })
    for (let rolling = 0; rolling < rollings; rolling += 1) {
      expect(await fleet.restart(rolling % 2, balancer)).toBe(0)
    }
    await expect.poll(() => traffic.report.uploads.made).toBeGreaterThan(0)
    const { failed, messages, uploads, closings, requests } = await traffic.stop()
    expect(failed).toEqual([])
    expect(messages.lost).toEqual([])
    expect(uploads.broken).toBe(0)
    expect(Object.keys(closings)).toEqual(['1012'])
    expect(await findBrokenDatabaseInvariants(database)).toEqual([])
    console.log(
      `${rollings} restarts, ${requests} requests, ${messages.sent.length} messages, ${uploads.made} uploads`,
    )
  },
  testTimeoutMs,
)
