import type { QueryClient } from '@tanstack/react-query'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** Reloads the member's own profile and followers, so that the page shows what others see. */
export function refreshOwnProfile(client: QueryClient, memberId: string): void {
  void client.invalidateQueries({ queryKey: peopleQueryKeys.one(memberId) })
  void client.invalidateQueries({ queryKey: peopleQueryKeys.followers(memberId) })
}
