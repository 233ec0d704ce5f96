import type { QueryClient } from '@tanstack/react-query'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** Reloads the member's profile with counts, and followers, as others see them. */
export function refreshOwnProfile(client: QueryClient, memberId: string): void {
  void client.invalidateQueries({ queryKey: peopleQueryKeys.one(memberId) })
  void client.invalidateQueries({ queryKey: peopleQueryKeys.followers(memberId) })
}
