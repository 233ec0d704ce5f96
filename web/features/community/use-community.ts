import { useCallback, useEffect, useState } from 'react'
import type { getCommunityOperation } from '#contract/community/community.ts'
import { getCommunityEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'

export type Community = OperationOutput<typeof getCommunityOperation>

/**
 * Loads the community for visitors' forms; undefined while unknown or unavailable, because forms work
 * without.
 * @returns also a reload function
 */
export function useCommunity(): [Community | undefined, reload: () => void] {
  const [community, setCommunity] = useState<Community>()
  const load = useCallback((left?: AbortSignal) => {
    callApiOperation(getCommunityEndpoint, {}, left)
      .then(setCommunity)
      .catch(() => {})
  }, [])
  useEffect(() => {
    const left = new AbortController()
    load(left.signal)
    return () => left.abort()
  }, [load])
  return [community, load]
}
