import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './client.ts'
import { createQueryClient } from './query-client.ts'

const options = createQueryClient().getDefaultOptions()
let log: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

test('CACHE-01 loaded data is kept for five minutes', () => {
  expect(options.queries?.gcTime).toBe(300_000)
})

test('CACHE-03 a write is never retried and does not wait for the connection', () => {
  expect(options.mutations).toMatchObject({ retry: 0, networkMode: 'always' })
})

test('CACHE-04 loaded data is fresh for 1000 ms', () => {
  expect(options.queries?.staleTime).toBe(1000)
})

test('CACHE-02 a query that the server refuses is not retried', async () => {
  const ask = vi.fn(() => Promise.reject(new ApiError('Not found', 404)))
  await expect(
    createQueryClient().fetchQuery({ queryKey: ['post'], queryFn: ask, retry: undefined }),
  ).rejects.toThrow()
  expect(ask).toHaveBeenCalledOnce()
})

test('an error that says the session has ended ends the session', async () => {
  const end = vi.fn()
  const client = createQueryClient(end)
  const over = new ApiError('no', 401, 'general_unauthorized_scope')
  await client.fetchQuery({ queryKey: ['feed'], queryFn: () => Promise.reject(over) }).catch(() => {})
  expect(end).toHaveBeenCalledTimes(1)
  const write = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(over) })
  await write.execute(undefined).catch(() => {})
  expect(end).toHaveBeenCalledTimes(2)
  const refused = new ApiError('no', 403, 'user_unauthorized')
  await client.fetchQuery({ queryKey: ['group'], queryFn: () => Promise.reject(refused) }).catch(() => {})
  expect(end).toHaveBeenCalledTimes(2)
})

test('ERR-03 a failed query leaves no data and logs one line', async () => {
  const client = createQueryClient()
  const broken = new ApiError('Server Error', 400)
  await client.prefetchQuery({ queryKey: ['saved'], queryFn: () => Promise.reject(broken) })
  expect(client.getQueryData(['saved'])).toBeUndefined()
  expect(log.mock.calls).toEqual([[broken]])

  const write = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(broken) })
  await write.execute(undefined).catch(() => {})
  expect(write.state.data).toBeUndefined()
  expect(log).toHaveBeenCalledTimes(2)
})

test('GPAGE-01 a missing record is not logged as an error', async () => {
  const client = createQueryClient()
  for (const missing of [new ApiError('no', 404), new ApiError('no', 400, '', '', 'groupId')])
    await client.prefetchQuery({ queryKey: ['group'], queryFn: () => Promise.reject(missing) })
  expect(log).not.toHaveBeenCalled()
})

test('an upload that ana cancels is not logged', async () => {
  const client = createQueryClient()
  const cancelled = new DOMException('The upload was cancelled', 'AbortError')
  const upload = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(cancelled) })
  await upload.execute(undefined).catch(() => {})
  expect(log).not.toHaveBeenCalled()
})
