import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { apiOperations } from '#contract/index.ts'
import { screenRoutes } from '#contract/screen-routes.ts'
import { createServerLogger } from './log.ts'

test('S09 secrets in a path are not logged', () => {
  const paths = [
    ...Object.values(screenRoutes).map(({ path }) => path),
    ...apiOperations.map(({ path }) => `/v1${path}`),
  ].filter((path) => /:(?:code|secret)\b/.test(path))
  expect(paths.length).toBeGreaterThanOrEqual(5)
  const lines: string[] = []
  const to = new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })
  const log = createServerLogger('info', to)
  for (const path of paths)
    log.info({ req: { method: 'GET', url: `${path.replace(/:(?:code|secret)/, 'Geheim123')}?q=a` } }, 'asked')
  expect(lines.map((line) => JSON.parse(line).req.path)).toEqual(
    paths.map((path) => path.replace(/:(?:code|secret)/, '[hidden]')),
  )
})
