import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { registeredRoutesByApp } from './route-metadata.ts'

let w: TestWorld
let ana: MemberClient
let script: string
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  const built = join(import.meta.dirname, '../../dist/web/assets')
  script = `/assets/${readdirSync(built).find((name) => name.endsWith('.js'))}`
})
afterAll(() => w.end())

test('a member’s browser gets the scripts without a database query, and pages with one', async () => {
  const query = (path: string) => captureSqlStatements(() => ana.request('GET', path))
  const page = await query('/settings')
  expect(page.result.status).toBe(200)
  expect(page.statements).not.toEqual([])
  const answer = await query(script)
  expect(answer.result.status).toBe(200)
  expect(answer.statements).toEqual([])
})

test('every file of the build is served', async () => {
  const paths = (registeredRoutesByApp.get(w.app) ?? [])
    .filter(({ config, url }) => config?.authenticates === false && !url.includes('*'))
    .map(({ url }) => url)
  expect(paths).toContain('/favicon.svg')
  for (const path of paths) expect([path, (await w.visitor.request('GET', path)).status]).toEqual([path, 200])
})

test('only files of the build are served without reading the session', () => {
  const built = join(import.meta.dirname, '../../dist/web')
  const unauthenticated = (registeredRoutesByApp.get(w.app) ?? [])
    .filter(({ config }) => config?.authenticates === false)
    .map(({ url }) => url)
  expect(unauthenticated).toContain('/assets/*')
  expect(unauthenticated.filter((url) => !existsSync(join(built, url.replace('*', ''))))).toEqual([])
})
