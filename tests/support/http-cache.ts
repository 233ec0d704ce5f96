import CachePolicy from 'http-cache-semantics'
import type { ApiResponse, MemberClient } from '#api-client/member-client.ts'

type KeptResponse = { policy: CachePolicy; answer: ApiResponse }

/** The cache stores everything that RFC 9111 allows. */
export function createHttpCache(options: { shared: boolean }) {
  const kept = new Map<string, KeptResponse>()
  return {
    kept,
    async get(who: MemberClient, path: string): Promise<ApiResponse> {
      const asked = { method: 'GET', url: path, headers: { host: 'localhost:3000', cookie: who.cookie } }
      const before = kept.get(path)
      if (before?.policy.satisfiesWithoutRevalidation(asked)) return before.answer
      const headers = before?.policy.revalidationHeaders(asked) as Record<string, string> | undefined
      const answer = await who.request('GET', path, undefined, headers)
      const policy = new CachePolicy(asked, { status: answer.status, headers: answer.headers }, options)
      if (before && answer.status === 304) {
        const { headers } = answer
        return before.policy.revalidatedPolicy(asked, { status: 304, headers }).modified
          ? answer
          : before.answer
      }
      if (policy.storable()) kept.set(path, { policy, answer })
      else kept.delete(path)
      return answer
    },
  }
}
