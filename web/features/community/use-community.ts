import { useCallback, useEffect, useState } from 'react'
import type { getCommunityOperation } from '#contract/community/community.ts'
import { getCommunityEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'

export type Community = OperationOutput<typeof getCommunityOperation>

/**
 * Loads what the place says of itself, for visitors' forms: undefined until it is known, and when it cannot be learned, for a form
 * works without.
 * @returns also a function that loads it anew
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
