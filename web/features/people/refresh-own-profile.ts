import type { QueryClient } from '@tanstack/react-query'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

export function refreshOwnProfile(client: QueryClient, memberId: string): void {
  void client.invalidateQueries({ queryKey: peopleQueryKeys.one(memberId) })
  void client.invalidateQueries({ queryKey: peopleQueryKeys.followers(memberId) })
}
